package com.acme

import com.acme.core.Item
import com.acme.core.Style
import com.acme.shop.Cart
import com.acme.shop.Legacy
import com.acme.shop.Prices

fun helper(text: String) = text

fun main() {
    val cart = Cart(Prices.Free)
    listOf("a", "b").map { Item(it, Style.PLAIN) }.forEach { cart.add(it) }
    println(helper(cart.get()!!.name))
    val lid = com.acme.core.Box.Lid("lid")
    lid.run { label() }
    Legacy()
}
