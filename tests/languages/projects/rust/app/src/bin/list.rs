use shop_app::Disk;

fn main() {
    Disk::open("x").unwrap();
}
