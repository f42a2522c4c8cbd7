pub mod store;
#[path = "odd_name.rs"]
pub mod odd;
mod unused;

pub use store::{disk::Disk, Store};
