package store_test

import (
	"testing"

	. "example.com/shop/store"
)

func TestOpen(t *testing.T) {
	shop, _ := Open("x")
	check(t, shop)
	if Checked(shop) == 0 {
		t.Fatal("empty")
	}
}

func check(t *testing.T, shop *Store) {
	for _, item := range shop.Items() {
		item.Price().Add(1)
	}
}
