pub mod round;
pub mod square;

pub use self::square::{Kind, Square};
