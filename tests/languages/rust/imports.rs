use std::io::{self, Read as _, Write}; // => import std:io; import std::io:Read; import std::io:Write
use super::{ // => import super::store::disk:Disk; import super::store:*; import super:util as helpers
    store::{disk::Disk, *},
    util as helpers, // a comment, with a comma
};
pub use self::inner::Deep; // => import self::inner:Deep (reexport)
extern crate serde as json; // => import serde as json
mod inner; // => import mod inner as inner
#[path = "elsewhere/other.rs"] mod other; // => import path elsewhere/other.rs as other (conditional); import mod other as other

mod nested { // => def namespace nested
    use super::inner::Deep; // => import super::inner:Deep
    pub fn go() -> Deep { super::start(); Deep::new() } // => def function nested.go; call self.start; read super::inner:Deep; call super::inner:Deep.new
    pub fn start() {} // => def function nested.start
}

pub fn start() { // => def function start
    use std::collections::HashMap; // => import std::collections:HashMap (lazy)
    let map = HashMap::new(); // => call std::collections:HashMap.new
    helpers::run(map); // => call super:util.run
    inner::deep::go(); // => call mod inner.deep.go
    crate::other::go(); // => call crate.other.go
    nested::go(); // => call nested.go
    chrono::Utc::now(); // => call chrono.Utc.now; effect clock chrono.Utc.now
    brought(); // => call *.brought
    Disk::open(); // => call super::store::disk:Disk.open
    json::to_string(); // => call serde.to_string
    io::stdin().read_line(); // => call std:io.stdin; call std:io.stdin().read_line; effect ui std.io.Stdin.read_line
}
