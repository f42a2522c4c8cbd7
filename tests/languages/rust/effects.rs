use std::fs::{self, File}; // => import std:fs; import std::fs:File
use std::path::Path; // => import std::path:Path
use std::process::Command; // => import std::process:Command
use reqwest::Client; // => import reqwest:Client
use rusqlite::Connection; // => import rusqlite:Connection
use tracing::{info, warn}; // => import tracing:info; import tracing:warn

struct Store { // => def struct Store
    db: Connection, // => read rusqlite:Connection
    client: Client, // => read reqwest:Client
}

impl Store { // => def extension Store; read Store
    fn load(&self, path: &Path) { // => def method Store.load; read std::path:Path
        self.db.execute("x", []); // => read Store.db; call rusqlite:Connection().execute; effect database rusqlite.Connection.execute
        path.exists(); // => call std::path:Path().exists; effect file_io std.path.Path.exists
        path.join("x").is_file(); // => call std::path:Path().join; call std::path:Path().join().is_file; effect file_io std.path.Path.is_file
        self.run(); // => call Store.run
    }
    async fn run(&self) -> Result<(), Error> { // => def method Store.run
        let text = self.client.get("u").header("a", "b").send().await?.text().await?; // => read Store.client; call reqwest:Client().get; call reqwest:Client().get().header; call reqwest:Client().get().header().send; effect network reqwest.RequestBuilder.send; call reqwest:Client().get().header().send().text; effect network reqwest.Response.text
        let mut file = File::create("x")?; // => call std::fs:File.create; effect file_io std.fs.File.create
        file.write_all(text)?; // => call std::fs:File.create().write_all; effect file_io std.fs.File.write_all
        Ok(())
    }
    fn execute(&self) {} // => def method Store.execute
}

fn main() { // => def function main
    let text = fs::read_to_string("x").unwrap(); // => call std:fs.read_to_string; call std:fs.read_to_string().unwrap; effect file_io std.fs.read_to_string
    Command::new("ls").arg("-l").status(); // => call std::process:Command.new; call std::process:Command.new().arg; call std::process:Command.new().arg().status; effect subprocess std.process.Command.status
    println!("{}", std::env::var("HOME")); // => effect ui std.println; call std.env.var; effect env std.env.var
    let home = std::env::var("HOME"); // => effect env std.env.var
    info!("started"); // => call tracing:info; effect logging tracing.info
    let schema = include_str!("schema.sql"); // => effect file_io std.include_str
    Command::new("x").spawn().unwrap().wait().unwrap(); // => call std::process:Command.new().spawn; effect subprocess std.process.Command.spawn; call std::process:Command.new().spawn().unwrap; call std::process:Command.new().spawn().unwrap().wait; effect subprocess std.process.Child.wait; call std::process:Command.new().spawn().unwrap().wait().unwrap
    let store = Store::open(); // => call Store.open
    store.execute(); // => call Store.open().execute
    tokio::spawn(async move { tokio::time::sleep(1).await }); // => call tokio.spawn; call tokio.time.sleep; effect clock tokio.time.sleep
}
