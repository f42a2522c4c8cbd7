package com.acme
package shop

import core.{Box, Item, Loud => Shouting, Text}
import core.twice
import Prices.Free

class Cart(prices: Prices) extends Box[Item](None) {
  def add(added: Item): Text = {
    item = Some(added)
    added match {
      case Item(name, Shouting) => s"${twice(added.label)} ${prices of added} $name"
      case other => Free.of(other).toString
    }
  }
}
