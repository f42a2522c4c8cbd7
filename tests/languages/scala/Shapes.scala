/** Shapes: definitions of every kind. */
package com.acme
package shapes

import scala.collection.mutable  // => import scala.collection:mutable
import com.acme.text.{Words, Lines => Rows, Hidden => _, _}  // => import com.acme.text:*; import com.acme.text:Lines as Rows; import com.acme.text:Words

/** A shape with an area. */
trait Shape[T <: Named] extends Comparable[Shape[T]] with Named {  // => base *.Comparable; def trait Shape; read Shape; read+base *.Named
  def area: Double  // => def method Shape.area
  def scaled(by: T): T = by  // => def method Shape.scaled
  type Size = Int  // => def type Shape.Size
}

case class Point(x: Int, label: Words) extends Shape[Named] {  // => base Shape; def class Point; def variable Point.label; def variable Point.x; read *.Named; read com.acme.text:Words
  private val cache = mutable.Map.empty[Int, Int]  // => def variable Point.cache; read scala.collection:mutable.Map.empty
  def this(x: Int) = this(x, null)  // => call Point; def method Point.constructor
  override def area: Double = x.toDouble  // => def method Point.area; read Point.x.toDouble
  def next = Point.origin  // => def method Point.next; read Point.origin
}

object Point {  // => def class Point
  val Dimensions = 2  // => def variable Point.Dimensions
  implicit val ordering: Ordering[Point] = null  // => def variable Point.ordering; read *.Ordering; read Point
  def origin: Point = new Point(0)  // => call Point; def method Point.origin
}

object Registry extends Base(1) {  // => base Base; def class Registry
  private var count = 0  // => def variable Registry.count
  lazy val points = new Points  // => def variable Registry.points; read Points
  def add(point: Point): Unit = {  // => def method Registry.add; read Point
    count += 1  // => write Registry.count
    this.count = 3
    points put point
    points.put(point)  // => call Points.put
    super.grow()  // => call Registry.<super>.grow
  }
}

class Base(size: Int) {  // => def class Base
  val held = new Points()  // => call Points; def variable Base.held
  def grow() = held.put(Point.origin)  // => call Points.put; def method Base.grow; read Point.origin
  private def hidden = size  // => def method Base.hidden
}

class Points {  // => def class Points
  def put(point: Point): Unit = ()  // => def method Points.put; read Point
}

package object tools {  // => def namespace tools
  def helper(text: Rows): Rows = text  // => def function tools.helper; read com.acme.text:Lines
}
