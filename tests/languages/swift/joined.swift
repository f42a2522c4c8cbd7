import Path  // => import Path:*

func joined(name: String) throws {  // => def function joined; type *.String
    let shelf = Path.home / "shelf" / name  // => read *.Path.home
    if shelf.exists { try shelf.delete() }  // => call *.Path.home./().delete; effect file_io Path.Path.delete; effect file_io Path.Path.exists; read *.Path.home./().exists
    let text = shelf.string  // => read *.Path.home./().string
    text.delete()  // => call *.Path.home./().string.delete
}
