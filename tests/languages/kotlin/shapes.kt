/** Shapes: definitions of every kind. */
@file:JvmName("Shapes")

package com.acme.shapes

import com.acme.Named  // => import com.acme:Named
import com.acme.text.*  // => import com.acme.text:*

/** A shape with an area. */
interface Shape<T : Any> : Named, Comparable<Shape<T>> {  // => base *.Comparable; base com.acme:Named; def interface Shape; read Shape
    val area: Double  // => def variable Shape.area
    fun scaled(by: T): T = by  // => def method Shape.scaled
}

data class Point(val x: Int, private val label: Label?) : Shape<Int> {  // => base Shape; def class Point; def variable Point.label; def variable Point.x; read Label
    override val area: Double get() = x.toDouble()  // => call Point.x.toDouble; def variable Point.area

    constructor(x: Int) : this(x, null)  // => call Point; def method Point.constructor

    companion object {
        const val DIMENSIONS = 2  // => def variable Point.DIMENSIONS
        fun origin(): Point = Point(0)  // => call Point; def method Point.origin
    }
}

enum class Colour(val code: Int) {  // => def enum Colour; def variable Colour.code
    RED(1),  // => def variable Colour.RED
    GREEN(2);  // => def variable Colour.GREEN

    fun shade() = code  // => def method Colour.shade
}

sealed class Result { object Empty : Result(); class Full(val item: Point) : Result() }  // => base Result; def class Result; def class Result.Empty; def class Result.Full; def variable Result.Full.item; read Point

object Registry : Base(1) {  // => base Base; def class Registry
    private var count = 0  // => def variable Registry.count
    val points by lazy { Points() }  // => call *.lazy; call Points; def variable Registry.points

    fun add(point: Point) {  // => def method Registry.add; read Point
        count++  // => write Registry.count
        this.count = 3
        points.put(point)  // => call Points.put
        super.grow()  // => call Registry.<super>.grow
    }
}

open class Base(size: Int) {  // => def class Base
    private val held = Points(size)  // => call Points; def variable Base.held
    fun grow() = held.put(Point.origin())  // => call Point.origin; call Points.put; def method Base.grow
    private fun hidden() {}  // => def method Base.hidden
}

class Points(size: Int = 0) {  // => def class Points
    fun put(point: Point) {}  // => def method Points.put; read Point
}

annotation class Label(val text: String)  // => def class Label; def variable Label.text
typealias Origin = Point  // => def type Origin; read Point
val unit: Point = Point.origin()  // => call Point.origin; def variable unit
private const val LIMIT = 3  // => def variable LIMIT
fun Point.moved(by: Int): Point = Point(this.x + by + LIMIT)  // => call+read Point; def method Point.moved; read LIMIT
val Point.next: Int get() = x + 1  // => def method Point.next; read Point
fun <T> identity(item: T): T = item  // => def function identity
infix fun Int.plus2(other: Int) = this + other  // => def method Int.plus2
