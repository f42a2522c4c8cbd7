package disk

func unlock(path string) error { return nil }
