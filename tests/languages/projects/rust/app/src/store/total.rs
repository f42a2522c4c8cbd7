use super::Store;
use shop_core::Amount;

impl Store {
    pub fn total(&self) -> Amount {
        let store = self;
        let mut sum = shop_core::money::zero();
        for square in store.squares.iter() {
            sum = sum.add(square.price);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shop_core::Square;

    #[test]
    fn adds() {
        let mut store = Store::open("x").unwrap();
        store.push(Square::new(Amount(3)).price);
        assert_eq!(store.total().0, 3);
    }
}
