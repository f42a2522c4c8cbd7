package com.acme.core

class Box[Item](protected var item: Option[Item]) {
  def get: Option[Item] = item
}

object Box {
  def empty[A]: Box[A] = new Box[A](None)
}
