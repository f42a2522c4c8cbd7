package com.acme.core

case class Item(name: String, style: Style) extends Named {
  require(name.length < Names.Longest)
}
