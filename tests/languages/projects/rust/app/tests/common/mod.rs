use shop_app::Store;

pub fn store() -> Store {
    Store::open("x").unwrap()
}
