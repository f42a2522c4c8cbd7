package disk

func unlock(path string) error { return check(path) }
