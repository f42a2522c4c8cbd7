//! What all shops share.
pub mod money;
pub mod shapes;

pub use crate::money::Amount;
pub use shapes::*;

pub mod prelude {
    pub use super::money::{zero, Amount as Sum};
    pub use crate::shapes::square::Square;
}
