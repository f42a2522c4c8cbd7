package stamp

func register(name string) {}
