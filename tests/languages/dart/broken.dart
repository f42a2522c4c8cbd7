class Half { // => def class Half
  void whole() { call(); } // => def method Half.whole; call *.call
  void half() { if ( } // => def method Half.half; problem syntax
}
