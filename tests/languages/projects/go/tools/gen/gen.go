package gen

// Write writes.
func Write() {}
