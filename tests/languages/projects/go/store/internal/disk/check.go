package disk

func check(path string) error { return nil }
