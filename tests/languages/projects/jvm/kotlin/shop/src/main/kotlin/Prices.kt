package com.acme.shop

import com.acme.core.*

abstract class Prices {
    abstract fun of(item: Item): Int

    object Free : Prices() {
        override fun of(item: Item) = clean(item.label()).length
    }
}

internal fun helper(text: String) = text
