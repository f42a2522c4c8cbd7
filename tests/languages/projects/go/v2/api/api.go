package api

import (
	fmt2 "fmt"

	"example.com/shop/store"
)

// Opener opens: no other package is asked.
type Opener interface{ Close() error }

// Serve serves.
func Serve(shop *store.Store) {
	var opener Opener = shop
	fmt2.Println(opener.Close())
	store := Open()
	store.Items()
}

type local struct{}

func (local) Items() int { return 0 }

func Open() local { return local{} }
