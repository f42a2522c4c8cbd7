package com.acme
package core

object Names {
  val Longest = 80
  def clean(name: String): String = name.trim
  case class Title(text: String) { def short: String = text.take(Names.Longest) }
}

trait Named {
  def name: String
  def label: String = Names.clean(name)
}

sealed trait Style
case object Plain extends Style
case object Loud extends Style
