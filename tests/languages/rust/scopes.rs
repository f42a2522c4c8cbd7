use crate::store; // => import crate:store
use crate::store::Item; // => import crate::store:Item

fn helper() -> Item { Item::new() } // => def function helper; read crate::store:Item; call crate::store:Item.new

fn hides(store: &str, items: &[Item], helper: u8) { // => def function hides; read crate::store:Item
    store.trim();
    store::load(store); // => call crate:store.load
    helper;
    for item in items {
        item.save(); // => call crate::store:Item().save
    }
    let one = &items[0];
    one.save();
    let (two, three) = pair();
    two.save();
    if let Some(helper) = three { helper.save(); }
    match three { helper => helper.save(), }
    let f = |helper: u8| helper.save();
    items.save();
}

fn again() -> Result<Item, String> { // => def function again; read crate::store:Item
    let item = helper(); // => call helper
    item.save(); // => call crate::store:Item().save
    let item = item.parts()?; // => call crate::store:Item().parts
    item.go(); // => call crate::store:Item().parts().go
    let item = 3;
    item.save();
    let count = 'x: loop { break 'x 3; };
    Ok(item)
}

fn generic<Item: Clone, F>(value: Item, f: F) where F: Fn() { // => def function generic
    value.clone();
    Item::new();
    f();
}

static mut TOTAL: usize = 0; // => def variable TOTAL

fn writes(item: &mut Item) { // => def function writes; read crate::store:Item
    unsafe { TOTAL += 1; } // => write TOTAL
    item.name = 3; // => write crate::store:Item().name
    item.size += 1; // => write crate::store:Item().size
}

mod closed { // => def namespace closed
    fn run() { helper(); } // => def function closed.run
    mod open { // => def namespace closed.open
        use super::*; // => import super:*
        fn go() { run(); } // => def function closed.open.go; call closed.run
    }
}

struct Holder { item: Item } // => def struct Holder; read crate::store:Item

impl Holder { // => def extension Holder; read Holder
    fn of(item: Item) -> Self { Holder { item } } // => def method Holder.of; read crate::store:Item; read Holder
    async fn load(&self) -> Item { // => def method Holder.load; read crate::store:Item
        let other = Holder::of(store::load().await?); // => call Holder.of; call crate:store.load
        other.item.save(); // => read Holder.item; call crate::store:Item().save
        other.load().await.save(); // => call Holder.load
        self.item.clone() // => call crate::store:Item().clone
    }
}
