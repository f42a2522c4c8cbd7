mod args;

use shop_app::{odd, Store};

fn main() {
    let path = args::path();
    let mut store = Store::open(&path).expect("a store");
    store.push(shop_core::Amount(odd::odd()));
    println!("{}", store.total().0);
}
