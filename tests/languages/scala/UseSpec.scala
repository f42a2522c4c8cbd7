package com.acme.app

import org.scalatest.flatspec.AnyFlatSpec  // => import org.scalatest.flatspec:AnyFlatSpec
import org.scalatest.matchers.should.Matchers  // => import org.scalatest.matchers.should:Matchers

class UseSpec extends AnyFlatSpec with Matchers {  // => base org.scalatest.flatspec:AnyFlatSpec; base org.scalatest.matchers.should:Matchers; def class UseSpec
  "a use" should "run" in {
    new Use(null, null).run(null) shouldBe 1  // => call *.Use; call *.Use().run
  }
}

class Helper  // => def class Helper
