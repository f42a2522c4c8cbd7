mod cache;

use shop_core::Square;

pub struct Disk {
    path: String,
}

impl Disk {
    pub fn open(path: &str) -> Option<Disk> {
        let disk = Disk { path: path.to_string() };
        cache::keep(&disk.path);
        Some(disk)
    }

    pub fn write(&self, square: &Square) {
        match square.kind() {
            shop_core::Kind::Big => cache::keep(&self.path),
            shop_core::shapes::Kind::Small => {}
        }
    }
}
