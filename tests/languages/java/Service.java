package com.acme.app;

import static com.acme.Limits.MAX;  // => import com.acme.Limits:MAX
import static com.acme.Checks.*;  // => import com.acme.Checks:*

import com.acme.store.Store;  // => import com.acme.store:Store
import com.acme.store.Store.Entry;  // => import com.acme.store.Store:Entry
import com.acme.model.*;  // => import com.acme.model:*
import java.util.List;  // => import java.util:List
import java.util.function.Function;  // => import java.util.function:Function

@Deprecated(since = "1")  // => call *.Deprecated; def class Service
public class Service {
    private final Store store;  // => read com.acme.store:Store
    private Worker worker = new Worker();  // => call+read Worker

    public Service(Store store) {  // => def method Service.constructor; read com.acme.store:Store
        this.store = store;  // => write Service.store
    }

    public Entry find(String key, List<Entry> entries) {  // => call+read com.acme.store.Store:Entry; def method Service.find; read *.String; read java.util:List
        Entry found = store.load(key);  // => call com.acme.store:Store().load
        found.touch();  // => call com.acme.store.Store:Entry().touch
        for (Entry entry : entries) {
            entry.touch();
        }
        var made = new Entry(key);
        made.touch();
        return Store.open().load(key);  // => call com.acme.store:Store.open; call com.acme.store:Store.open().load
    }

    void names() {  // => def method Service.names
        String store = store();  // => call Service.store; read *.String
        worker.work(MAX);  // => call Worker.work; read com.acme.Limits:MAX
        verify(store);  // => call *.verify
        int verify = 0;
        User user = User.named("x").build();  // => call *.User.named; call *.User.named().build; read *.User
        user.name = "y";  // => write *.User().name
        com.acme.other.Far.away();  // => call *.com.acme.other.Far.away
        new Store<String>(key -> user.rename(key)).save();  // => call *.User().rename; call com.acme.store:Store; call com.acme.store:Store().save
        Function<String, Entry> make = Entry::new;  // => read com.acme.store.Store:Entry; read java.util.function:Function
        Function<Entry, String> label = Entry::label;  // => read com.acme.store.Store:Entry.label
        Object type = User.class;  // => read *.Object
        outer:
        while (true) {
            break outer;
        }
    }

    String store() {  // => def method Service.store; read *.String
        return "store.load()";
    }

    <User> void hidden(User user, Object any) {  // => def method Service.hidden; read *.Object
        user.rename("x");
        if (any instanceof Entry entry && entry.isOpen()) {  // => call com.acme.store.Store:Entry().isOpen; read com.acme.store.Store:Entry
            entry.touch();  // => call com.acme.store.Store:Entry().touch
        }
        switch (any) {
            case Store held when held.isOpen() -> held.save();  // => call com.acme.store:Store().isOpen; call com.acme.store:Store().save; read com.acme.store:Store
            default -> grow();  // => call *.grow
        }
        try (Store open = Store.open(); Scope scope = open.scope()) {  // => call com.acme.store:Store().scope; call com.acme.store:Store.open; read *.Scope
            scope.close();  // => call *.Scope().close
        } catch (StoreError | OtherError error) {  // => read *.OtherError; read *.StoreError
            error.explain();
        }
        try {
            open();  // => call *.open
        } catch (StoreError error) {
            error.explain();  // => call *.StoreError().explain
        }
    }

    Runnable task() {  // => def method Service.task; read *.Runnable
        return new Task(worker) {  // => base *.Task; def class Service.task.$Task
            int step;

            @Override  // => def method Service.task.$Task.run; read *.Override
            public void run() {
                step = 1;  // => write Service.task.$Task.step
                advance();  // => call *.advance
                worker.work(step);  // => call *.worker.work
            }
        };
    }
}

class Worker {  // => def class Worker
    void work(int times) {  // => def method Worker.work
        Worker next = this;  // => read Worker
        next.work(1);  // => call Worker.work
    }
}
