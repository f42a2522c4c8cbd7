package com.acme.app

import io.kotest.core.spec.style.FunSpec  // => import io.kotest.core.spec.style:FunSpec
import kotlin.test.Test  // => import kotlin.test:Test

class UseTest {  // => def class UseTest
    @Test  // => def method UseTest.`runs without a point`; read kotlin.test:Test
    fun `runs without a point`() {
        Use(null).go(null) {}  // => call *.Use; call *.Use().go
    }

    fun helper() {}  // => def method UseTest.helper
}

class UseSpec : FunSpec({  // => base io.kotest.core.spec.style:FunSpec; def class UseSpec
    test("runs") {  // => call *.test
        Use(null).go(null) {}  // => call *.Use; call *.Use().go
    }
})
