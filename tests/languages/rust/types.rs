//! Shapes to draw.
use std::fmt; // => import std:fmt
use crate::geo::{self, Point}; // => import crate:geo; import crate::geo:Point

/// A length.
#[derive(Debug, Clone)] // => def struct Side
pub struct Side(u32);

pub trait Area: Named + geo::Solid { // => def trait Area; base Named; base crate:geo.Solid
    const KIND: u8; // => def variable Area.KIND
    fn area(&self, scale: Side) -> u32; // => def method Area.area; read Side
    fn twice(&self) -> u32 { self.area(Side(2)) } // => def method Area.twice; call Area.area; call Side
}

trait Named {} // => def trait Named

pub struct Square<'a, T: Named> { // => def struct Square; read Named
    side: Side, // => read Side
    pub corner: geo::Point, // => read crate:geo.Point
    parts: Vec<Part>, // => read Part
    next: Option<Box<Square<'a, T>>>, // => read Square
}

pub struct Part; // => def struct Part

impl Part { // => def extension Part; read Part
    fn run(&self) -> &Self { self } // => def method Part.run; read Part
}

pub enum Color { // => def enum Color
    Red, // => def variable Color.Red
    Mixed(Side, Part), // => def variable Color.Mixed; read Side; read Part
    Named { name: String }, // => def variable Color.Named
}

impl<'a, T: Named> Square<'a, T> { // => def extension Square; read Square; read Named
    pub const LIMIT: usize = 3; // => def variable Square.LIMIT
    pub fn new(side: Side) -> Self { // => def method Square.new; read Side; read Square
        let made = Square { side, parts: vec![Part], next: None }; // => read Part
        made.grow(LIMIT); // => call Square.grow; read LIMIT
        Self::check(&made); // => call Square.check
        made
    }
    fn grow(&mut self, by: usize) { // => def method Square.grow
        self.side.0 += by; // => write Square.side
        self.corner = Point::origin(); // => write Square.corner; call crate::geo:Point.origin
        for part in self.parts.iter() { // => read Square.parts
            part.run().run(); // => call Part.run
        }
        self.next.as_ref().unwrap().grow(1); // => read Square.next; call Square.as_ref().unwrap().grow; call Square.as_ref; call Square.as_ref().unwrap
        self.missing.deeper(); // => read Square.missing; call Square.missing.deeper
    }
    fn check(&self) {} // => def method Square.check
}

impl<'a, T: Named> Area for Square<'a, T> { // => def extension Square; base Area; read Square; read Named
    fn area(&self, scale: Side) -> u32 { // => def method Square.area; read Side
        match paint() { // => call paint
            Color::Red => 1, // => read Color.Red
            Color::Mixed(side, part) => part.run(), // => call Color.Mixed
            Color::Named { name } => name.len(), // => read Color.Named
        }
    }
}

impl fmt::Display for Color { // => def extension Color; base std:fmt.Display; read Color
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { // => def method Color.fmt; read std:fmt.Formatter; read std:fmt.Result
        write!(f, "{}", geo::name::<Side>(self)) // => read crate:geo.name; read Side
    }
}

impl<T> Named for &T {} // => def extension &T; base Named

pub const LIMIT: usize = 4; // => def variable LIMIT
static SHARED: Part = Part; // => def variable SHARED; read Part
type Alias = geo::Point; // => def type Alias; read crate:geo.Point

fn paint() -> Color { Color::Red } // => def function paint; read Color; read Color.Red

macro_rules! shape { // => def macro shape
    ($name:expr) => { Side($name) };
}

extern "C" { fn outside(x: i32); } // => def function outside

pub union Bits { whole: u32 } // => def struct Bits
