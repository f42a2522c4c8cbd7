pub fn stamp() -> u32 {
    7
}
