use std::fs; // => import std:fs

fn before() { fs::remove_file("x"); } // => def function before; call std:fs.remove_file; effect file_io std.fs.remove_file

fn broken() { // => def function broken
    let x = = 3; // => problem syntax
    before(); // => call before
}
