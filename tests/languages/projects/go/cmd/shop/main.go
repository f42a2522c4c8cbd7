// Command shop sells.
package main

import (
	"fmt"
	"os"

	"example.com/shop/money"
	_ "example.com/shop/plugins/stamp"
	"example.com/shop/store"
	"example.com/shop/tools/gen"
	"example.com/shop/v2/api"
)

func main() {
	shop, err := store.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer shop.Close()
	for _, item := range shop.Items() {
		show(item.Price())
	}
	api.Serve(shop)
	gen.Write()
	var total coin.Amount
	total.Add(1)
}
