package com.acme.shop;

import com.acme.core.Item;

public class Legacy {
    int price(Prices prices, Item item) {
        return prices.of(item);
    }
}
