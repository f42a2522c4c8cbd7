#[allow(dead_code)]
fn nobody() {}
