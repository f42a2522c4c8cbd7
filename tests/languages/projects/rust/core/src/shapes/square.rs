use super::super::money::Amount;
use Kind::{Big, Small};

pub enum Kind {
    Small,
    Big,
}

pub struct Square {
    pub price: Amount,
}

impl Square {
    pub fn new(price: Amount) -> Self {
        Square { price }
    }

    pub fn kind(&self) -> Kind {
        if self.price.0 > 3 {
            Big
        } else {
            Small
        }
    }
}
