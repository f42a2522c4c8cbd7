import { Pool } from 'pg' // => import pg:Pool
import { Store } from './store' // => import ./store:Store
export const services = { store: new Store(), pool: new Pool() } // => call ./store:Store; call pg:Pool; def variable services; effect database pg.Pool
const { store, pool: shared } = services // => def variable shared; def variable store; read services
export default new Store() // => def variable default
export function make() { // => def function make
  return new Store() // => call ./store:Store
}
export const run = () => make().start() // => call ./store:Store().start; call make; def function run
export function use() { // => def function use
  const { start, stop: end } = make() // => call make
  start() // => call ./store:Store().start
  end() // => call ./store:Store().stop
  services.pool.query('x') // => call pg:Pool().query; effect database pg.Pool.query; read services.pool
  store.save() // => call ./store:Store().save
  shared.end() // => call pg:Pool().end; effect database pg.Pool.end
}
export class Base { // => def class Base
  load() { // => def method Base.load
    return this
  }
}
export class Derived extends Base { // => base Base; def class Derived
  load() { // => def method Derived.load
    return super.load() // => call Derived.<super>.load
  }
}
