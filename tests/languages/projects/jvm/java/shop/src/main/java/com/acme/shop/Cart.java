package com.acme.shop;

import com.acme.core.*;

@Marker(Cart.class)
public class Cart extends Box<Item> {
    private final Prices prices = new Prices() {
        @Override
        int of(Item item) {
            return clean(item.name());
        }
    };

    public void add(Item added) {
        item = added;
        switch (added.style()) {
            case LOUD -> prices.of(added);
            default -> prices.none();
        }
    }

    static int clean(String name) {
        return Names.clean(name).length();
    }
}
