package com.acme.core;

import java.util.function.Supplier;

public class Box<Item> implements Supplier<Item> {
    protected Item item;
    protected Style style;

    @Override
    public Item get() {
        return item;
    }

    public static class Style {
        public String name() {
            return Names.clean("box");
        }
    }
}
