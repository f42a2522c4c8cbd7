fn main() {
    shop_app::Store::open("x");
}
