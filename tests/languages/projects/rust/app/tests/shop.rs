mod common;

use shop_core::Amount;

#[test]
fn sells() {
    let mut store = common::store();
    store.push(Amount(1));
    assert_eq!(store.total().0, 1);
}
