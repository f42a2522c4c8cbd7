package store

import "testing"

func TestLoad(t *testing.T) {
	var s Store
	s.load(3)
}
