package main

import (
	"fmt"

	"example.com/shop/money"
)

func show(amount coin.Amount) { fmt.Println(amount.String()) }
