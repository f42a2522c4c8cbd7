package com.acme.core

data class Item(override val name: String, val style: Style) : Named {
    init {
        require(name.length < limit())
    }
}

private fun limit(): Int = LONGEST
