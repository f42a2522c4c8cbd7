package com.acme.shop

import com.acme.core.Box
import com.acme.core.Item
import com.acme.core.Style.LOUD
import com.acme.core.isFull
import com.acme.core.shout as cry

typealias Priced = (Item) -> Int

class Cart(private val prices: Prices) : Box<Item>(null) {
    fun add(added: Item): String {
        item = added
        val text = "${added.name.cry()} ${prices.of(added)}"
        return if (added.style == LOUD && isFull()) text else helper(text)
    }
}
