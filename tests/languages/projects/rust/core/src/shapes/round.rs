pub struct Round {
    pub value: u32,
}

pub fn up(value: u32) -> Round {
    Round { value }
}
