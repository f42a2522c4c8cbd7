class Half { // => def class Half
    func whole() { call() } // => def method Half.whole; call *.call
    func half( { // => def method Half.half; problem syntax
}
