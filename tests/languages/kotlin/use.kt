package com.acme.app

import com.acme.shapes.Point  // => import com.acme.shapes:Point
import com.acme.shapes.Registry as Known  // => import com.acme.shapes:Registry as Known
import com.acme.shapes.moved  // => import com.acme.shapes:moved
import com.acme.store.Store  // => import com.acme.store:Store
import com.acme.store.Store.Entry  // => import com.acme.store.Store:Entry
import org.mockito.Mockito.`when`  // => import org.mockito.Mockito:`when`

class Use(private val store: Store, factory: Factory) : Task(factory) {  // => base *.Task; def class Use; def variable Use.store; read *.Factory; read com.acme.store:Store
    private val worker = Worker()  // => call Worker; def variable Use.worker
    private val made = factory.make()  // => call *.Factory().make; def variable Use.made

    fun go(point: Point?, block: () -> Unit) {  // => call+read com.acme.shapes:Point; def method Use.go
        point?.moved(1)!!.moved(2)  // => call com.acme.shapes:Point().moved; call com.acme.shapes:Point().moved().moved
        store.load("k").touch()  // => call com.acme.store:Store().load; call com.acme.store:Store().load().touch
        worker.work()  // => call Worker.work
        val entry: Entry = Entry("a ${store.name()} $point \$point")  // => call com.acme.store:Store().name; call+read com.acme.store.Store:Entry
        entry.touch()  // => call com.acme.store.Store:Entry().touch
        Known.add(Point(1))  // => call+read com.acme.shapes:Registry.add
        run { store.save() }  // => call *.run; call com.acme.store:Store().save
        store.all().forEach { it.touch() }  // => call com.acme.store:Store().all; call com.acme.store:Store().all().forEach; call com.acme.store:Store().all()[].touch
        store.each { entry -> entry.touch() }  // => call com.acme.store:Store().each
        store.with<Entry>(1).close()  // => call com.acme.store:Store().with; call com.acme.store:Store().with().close
        advance()  // => call *.advance
        `when`(store)  // => call org.mockito.Mockito:`when`
        for (item in store.all()) item.touch()
        val (first, second) = pair()  // => call *.pair
        first.touch()
        when (val found = store.load("x")) {
            is Entry -> found.touch()
            else -> Known::add
        }
        try {
            start()  // => call *.start
        } catch (error: StoreError) {  // => read *.StoreError
            error.explain()  // => call *.StoreError().explain
        }
        val task = object : Task(made) {  // => base *.Task; def class Use.go.$Task
            override fun advance() {  // => def method Use.go.$Task.advance
                finish()  // => call *.finish
            }
        }
        store.limit = 3  // => write com.acme.store:Store().limit
        store.save(name = "x")
        com.acme.other.away()  // => call *.com.acme.other.away
        listOf(1) plus2 2  // => call *.listOf
        ::helper  // => read helper
        Entry::class.java
        this@Use.worker.work()  // => read Use.worker
        label@ while (true) break@label
    }

    fun <Store> shadow(store: Store) {  // => def method Use.shadow
        store.load("k")
    }
}

class Worker {  // => def class Worker
    fun work() = helper()  // => call helper; def method Worker.work
}

private fun helper() {}  // => def function helper
