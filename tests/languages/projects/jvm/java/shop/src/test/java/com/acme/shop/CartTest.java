package com.acme.shop;

import com.acme.core.Item;
import com.acme.core.Names;
import java.util.function.Function;

class CartTest {
    void adds() {
        Cart cart = new Cart();
        cart.add(new Item("a", Names.Style.LOUD));
        Function<Item, Integer> price = new Prices() {
            @Override
            int of(Item item) {
                return 1;
            }
        }::of;
        Fixtures.fill(cart, price);
    }
}
