package com.acme.core

open class Box<Item>(protected var item: Item?) {
    fun get(): Item? = item

    class Lid(override val name: String) : Named

    companion object {
        fun empty(): Box<String> = Box(null)
    }
}

fun Box<*>.isFull(): Boolean = get() != null
