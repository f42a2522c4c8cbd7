package stamp

func init() { register("stamp") }
