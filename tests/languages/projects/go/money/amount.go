// Package coin lies in a folder of another name.
package coin

import "example.com/lib/text"

// Amount is a sum in cents.
type Amount int

const Zero Amount = 0

func (a Amount) Add(b Amount) Amount { return a + b }

func (a Amount) String() string { return text.Pad(format(a), width) }
