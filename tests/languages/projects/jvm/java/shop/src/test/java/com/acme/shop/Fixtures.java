package com.acme.shop;

import java.util.function.Function;

class Fixtures {
    static <Cart extends com.acme.shop.Cart> void fill(Cart cart, Function<?, Integer> price) {
        cart.get();
    }
}
