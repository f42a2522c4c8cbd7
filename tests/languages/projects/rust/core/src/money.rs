use crate::shapes::round::{self, Round};

#[derive(Clone, Copy)]
pub struct Amount(pub u32);

pub fn zero() -> Amount {
    Amount(0)
}

impl Amount {
    pub fn add(self, other: Amount) -> Amount {
        let round: Round = round::up(self.0 + other.0);
        Amount(round.value)
    }
}
