package com.acme.app

import com.acme.shapes.*  // => import com.acme.shapes:*
import com.acme.store.{Store, given}  // => import com.acme.store:*; import com.acme.store:Store
import com.acme.store.Store.Entry as Kept  // => import com.acme.store.Store:Entry as Kept

enum Colour(val code: Int):  // => def enum Colour; def variable Colour.code
  case Red extends Colour(1)  // => call Colour; def variable Colour.Red
  case Green extends Colour(2)  // => def variable Colour.Green
  def shade = code  // => def method Colour.shade

given ordering: Ordering[Kept] = Ordering.by(_.name)  // => call *.Ordering.by; def variable ordering; read *.Ordering; read com.acme.store.Store:Entry

extension (store: Store)  // => read com.acme.store:Store
  def twice(entry: Kept): Kept =  // => def method Store.twice; read com.acme.store.Store:Entry
    store.save(entry)  // => call com.acme.store:Store().save
    store.load(entry.name)  // => call com.acme.store:Store().load; read com.acme.store.Store:Entry().name
  def size = store.count  // => def method Store.size; read com.acme.store:Store().count

class Use(store: Store, worker: Worker) extends Task(worker):  // => base *.Task; def class Use; read Worker; read com.acme.store:Store
  def run(point: Point, any: Any): Kept =  // => call+read *.Point; def method Use.run
    store.load("k").touch  // => call com.acme.store:Store().load; read com.acme.store:Store().load().touch
    val entry = new Kept(s"a ${store.name} $point")  // => call+read com.acme.store.Store:Entry; read com.acme.store:Store().name
    entry.touch  // => read com.acme.store.Store:Entry().touch
    worker.work(times = 2)  // => call Worker.work
    advance  // => read *.advance
    Registry.add(point)  // => call *.Registry.add
    store.twice(entry)  // => call com.acme.store:Store().twice
    any match
      case Point(x, label) => x.foo
      case kept: Kept if kept.isOpen => kept.touch  // => read com.acme.store.Store:Entry().isOpen
      case other => other.touch
    for item <- store.all; made = item.make yield item.touch  // => read com.acme.store:Store().all; read com.acme.store:Store().all[].make; read com.acme.store:Store().all[].touch
    store.each { entry => entry.touch }  // => call com.acme.store:Store().each
    store.map(entry => entry.touch)  // => call com.acme.store:Store().map; read com.acme.store:Store()[].touch
    val task = new Task(worker) { override def advance = finish }  // => base *.Task; def class Use.run.$Task; def method Use.run.$Task.advance; read *.finish
    store.limit = 3  // => write com.acme.store:Store().limit
    store.pick[Kept](1).touch  // => call com.acme.store:Store().pick; read com.acme.store:Store().pick().touch
    this.store.close  // => read Use.store; read com.acme.store:Store().close
    com.acme.other.Far.away  // => read *.com.acme.other.Far.away
    entry

class Worker:  // => def class Worker
  def work(times: Int): Worker = this  // => def method Worker.work

def top(using use: Use): Worker = Worker().work(1)  // => call Worker; call Worker.work; def function top; read Use
val shared = new Worker  // => def variable shared; read Worker
