package store

import "example.com/shop/money"

// Item has a price.
type Item struct{ price coin.Amount }

func (i *Item) Price() coin.Amount { return i.price }

func (s *Store) load(start coin.Amount) {
	s.items = append(s.items, &Item{price: start.Add(1)})
}
