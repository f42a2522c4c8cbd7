/** Draws things. See docs/drawing.md for more. */ // => cite docs/drawing.md
import { Base, mixin } from './base' // => import ./base:Base; import ./base:mixin
import type { Drawable, Store } from './types' // => import ./types:Drawable (type_only); import ./types:Store (type_only)
import { Injectable } from '@angular/core' // => import @angular/core:Injectable
import { Pool } from 'pg' // => import pg:Pool

/**
 * Holds a pool. And more.
 */
@Injectable() // => call @angular/core:Injectable; def class Canvas
export class Canvas extends Base<Drawable> implements Drawable, Store.Like { // => base ./base:Base; base ./types:Store.Like; base+type ./types:Drawable
  static count = 0
  #secret = new Pool() // => call+type pg:Pool; effect database pg.Pool
  pool: Pool
  private readonly label = mixin() // => call ./base:mixin
  declare later: Store // => type ./types:Store
  handler = async (event: Drawable): Promise<void> => { // => def method Canvas.handler; type ./types:Drawable
    this.draw(event) // => call Canvas.draw
  }

  constructor(private readonly store: Store, other: Pool) { // => call+type pg:Pool; def method Canvas.constructor; type ./types:Store
    super(other) // => call Canvas.<super>
    this.pool = new Pool() // => effect database pg.Pool; write Canvas.pool
    this.pool.query('x') // => call pg:Pool().query; effect database pg.Pool.query
    this.#secret.query('y') // => effect database pg.Pool.query; read Canvas.#secret
    this.made = mixin() // => call ./base:mixin; write Canvas.made
  }

  /** Draws one. */
  draw(what: Drawable) { // => def method Canvas.draw; type ./types:Drawable
    this.store.save(what) // => call ./types:Store().save; read Canvas.store
    Canvas.count += 1 // => write Canvas.count
    this.handler(what) // => call Canvas.handler
    const self = this
    return [1].map(() => self.draw(this.last)) // => call Canvas.draw
  }

  get last() { // => def method Canvas.last
    return this.pool
  }

  static create(): Canvas { // => call+type Canvas; def method Canvas.create
    return new Canvas(null, null)
  }
}

abstract class Shape { // => def class Shape
  abstract area(): number // => def method Shape.area
  describe(): string
  describe(long?: boolean) { // => def method Shape.describe
    return this.area() + mixin(long) // => call ./base:mixin; call Shape.area
  }
}

const Local = class extends Shape { // => base Shape; def class Local
  area() { // => def method Local.area
    return 1
  }
}

export default class extends mixin(Base) { // => base ./base:mixin; def class default; read ./base:Base
  run() { // => def method default.run
    return Canvas.create().draw(new Local()) // => call Canvas.create; call Canvas.draw; call Local
  }
}

const board = new Canvas(null, null) // => call Canvas; def variable board
board.draw(Local) // => call Canvas.draw; read Local
board.pool.query('z') // => call pg:Pool().query; effect database pg.Pool.query; read Canvas.pool
