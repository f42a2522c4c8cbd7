package broken

import "os" // => import os

func before() { os.Remove("x") } // => def function before; call os.Remove; effect file_io os.Remove

func broken() { // => def function broken
	x := := 3 // => problem syntax
	before() // => call before
}

func after() { before() } // => def function after; call before
