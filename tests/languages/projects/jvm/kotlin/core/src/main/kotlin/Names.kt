package com.acme.core

const val LONGEST = 80

fun clean(name: String): String = name.trim()

fun String.shout(): String = clean(this).toUpperCase()

enum class Style { PLAIN, LOUD }

interface Named {
    val name: String
    fun label(): String = name.shout()
}
