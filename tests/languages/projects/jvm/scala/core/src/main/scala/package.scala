package com.acme

package object core {
  type Text = String
  def twice(text: Text): Text = text + text
}
