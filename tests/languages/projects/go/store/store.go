// Package store keeps items.
package store

import (
	"example.com/shop/money"
	"example.com/shop/store/internal/disk"
)

// Store is open.
type Store struct {
	disk.File
	items []*Item
}

// Open opens.
func Open(path string) (*Store, error) {
	file, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	made := &Store{File: *file}
	made.load(coin.Zero)
	return made, nil
}

func (s *Store) Items() []*Item { return s.items }
