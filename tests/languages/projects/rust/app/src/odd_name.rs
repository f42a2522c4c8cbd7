pub fn odd() -> u32 {
    renamed::stamp()
}
