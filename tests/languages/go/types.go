// Package shapes draws.
package shapes

import (
	"fmt" // => import fmt
	"example.com/app/geo" // => import example.com/app/geo as geo
)

// Side is a length.
type Side int // => def class Side

const ( // a group
	Small Side = iota // => def variable Small; read Side
	Large             // => def variable Large
)

// Shape is what has an area.
type Shape interface { // => def interface Shape
	fmt.Stringer       // => base fmt.Stringer
	Area(scale Side) (size float64, err error) // => def method Shape.Area; read Side
	Parent() Shape                             // => def method Shape.Parent; read Shape
}

type Base struct { // => def struct Base
	Name, Label string
	origin      geo.Point // => read example.com/app/geo.Point
}

func (b *Base) Rename(name string) { // => def method Base.Rename; read Base
	b.Name = name                    // => write Base.Name
	b.origin.X++                     // => read Base.origin; write example.com/app/geo.Point().X
}

type Square struct { // => def struct Square
	*Base            // => base Base
	geo.Frame `json:",inline"` // => base example.com/app/geo.Frame
	side Side        // => read Side
	inner struct { depth int }
	next  *Square    // => read Square
}

type Alias = geo.Point // => def type Alias; read example.com/app/geo.Point

type Handler func(s *Square) error // => def class Handler; read Square

func (h Handler) Serve(s *Square) error { return h(s) } // => def method Handler.Serve; call+read Handler; read Square

type Set[T comparable] map[T]struct{} // => def class Set

func (s Set[T]) Add(item T) { s[item] = struct{}{} } // => def method Set.Add; read Set

var Default = New(Small, "one") // => def variable Default; call New; read Small

var negative, called, literal = -1, New(Small, "x"), &Square{} // => def variable negative; def variable called; def variable literal; read Square

var made = &Square{} // => def variable made

var first, second = geo.Pair() // => def variable first; def variable second; call example.com/app/geo.Pair

var _ Shape = (*Square)(nil) // => read Shape

// New makes a square.
func New(side Side, name string) *Square { // => def function New; read Side; read Square
	made := &Square{side: side, Base: &Base{Name: name}} // => read Base
	made.Rename(name)              // => call Square.Rename
	made.grow(Large)               // => call Square.grow; read Large
	return made
}

func (q *Square) grow(by Side) { // => def method Square.grow; read Square; read Side
	q.side += by                 // => write Square.side
	q.next.grow(by)              // => call Square.grow; read Square.next
	q.missing.deeper()           // => read Square.missing; call Square.missing.deeper
}

func Map[In, Out any](items []In, f func(In) Out) (made []Out) { // => def function Map
	for _, item := range items {
		made = append(made, f(item))
	}
	return
}

func use() { // => def function use
	names := Map[Side, string]([]Side{Small}, label) // => call Map; read Side; read Small; read *.label
	_ = names
	set := Set[Side]{}  // => read Set
	set.Add(Large)      // => call Set.Add; read Large
	set2 := new(Square) // => read Square
	set2.Rename("x")    // => call Square.Rename
	f := (*Square).grow // => call+read Square.grow
	_ = f
	Default.Rename("y") // => read Default
	made.grow(1)        // => read made
	Square{}.Base.Rename("z") // => read Square.Base; call Base.Rename
	all := []*Square{made}
	all[0].missing() // => call Square.missing
	inner := factory()() // => call *.factory
	inner.Rename("z")
}
