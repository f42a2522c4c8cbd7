package sample

func Open() {}
