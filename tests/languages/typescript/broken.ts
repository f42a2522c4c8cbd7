import { kept } from './kept' // => import ./kept:kept
export function before() { // => def function before
  return kept(1) // => call ./kept:kept
}
class Half { // => problem syntax
  method( {
}
export function after() {
  return kept(2) // => call ./kept:kept
}
