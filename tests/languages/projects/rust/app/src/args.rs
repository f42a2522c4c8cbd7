use crate::Store;

pub fn path() -> String {
    let _: Option<Store> = None;
    std::env::args().next().unwrap_or_default()
}
