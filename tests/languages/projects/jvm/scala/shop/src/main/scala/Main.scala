package com.acme

import shop.Cart

object Main {
  def main(args: Array[String]): Unit = {
    import com.acme.shop.Prices
    val cart = new Cart(Prices.Free)
    for (name <- List("a", "b")) println(cart.add(core.Item(name, core.Plain)))
    val helper = new Helper
    println(helper.help(com.acme.core.Box.empty[String]))
  }
}
