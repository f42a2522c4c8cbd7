package com.acme;

import static com.acme.core.Names.LONGEST;

import com.acme.core.Box.Style;
import com.acme.shop.*;

public class Main {
    public static void main(String[] args) {
        Style style = new Style();
        System.out.println(style.name().length() < LONGEST);
        Cart cart = new Cart();
        cart.add(null);
        com.acme.other.Names.hidden();
    }
}
