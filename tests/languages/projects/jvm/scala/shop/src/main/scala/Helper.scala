package com.acme

class Helper {
  def help(box: core.Box[String]): Option[String] = box.get.map(word => core.Names.clean(word))
}
