pub mod disk;
mod total;

use shop_core::prelude::*;

pub struct Store {
    squares: Vec<Square>,
    disk: disk::Disk,
}

impl Store {
    pub fn open(path: &str) -> Option<Self> {
        let disk = disk::Disk::open(path)?;
        Some(Store { squares: Vec::new(), disk })
    }

    pub fn push(&mut self, price: Sum) {
        let square = Square::new(price);
        self.disk.write(&square);
        self.squares.push(square);
    }
}
