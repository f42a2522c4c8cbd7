package scopes

import (
	"net/url" // => import net/url as url
	"config"  // => import config
	"marker"  // => import marker
)

var total int // => def variable total

type Item struct{ n int } // => def struct Item

func (i *Item) Touch() *Item { return i } // => def method Item.Touch; read Item

func items() []*Item { return nil } // => def function items; read Item

func shadows(config string, list []*Item, byName map[string]*Item, more ...*Item) { // => def function shadows; read Item
	config.Trim()
	url := url.Parse(config) // => call net/url.Parse
	url.Query()              // => call net/url.Parse().Query
	for i, item := range list {
		item.Touch() // => call Item.Touch
		_ = i
	}
	for _, item := range items() { // => call items
		item.Touch().Touch()
	}
	for key := range byName {
		key.Touch()
	}
	one := list[0]
	one.Touch()
	two, ok := byName["x"]
	two.Touch()
	ok.Touch()
	list.Touch()
	if marker, err := marker.Find(); err != nil { // => call marker.Find
		marker.Touch() // => call marker.Find().Touch
	}
	marker.Find()
	total := 3
	total++
	func() {
		total = 4
	}()
}

func typed(v any, ch chan *Item) { // => def function typed; read Item
	switch marker := v.(type) {
	case *Item:
		marker.Touch()
	}
	select {
	case got := <-ch:
		got.Touch()
	}
	x, ok := v.(*Item)
	x.Touch() // => call Item.Touch
	_ = ok
	y := (*x).Touch()
	y.Touch()
	var z Item
	z = other() // => call *.other
	z.Touch()
	w, err := z.Touch(), nil
	w.Touch()
	_ = err
Loop:
	for {
		break Loop
	}
	total += 1 // => read+write total
	config := map[string]int{"a": total}
	config.Touch()
	_ = Item{n: total}
	_ = map[int]int{total: 1}
}

func literal() func(config string) { // => def function literal
	return func(config string) { config.Trim() }
}

func generic[config any](value config) config { // => def function generic
	return config(value)
}
