package com.acme.core;

public record Item(String name, Names.Style style) implements Comparable<Item> {
    public Item {
        name = Names.clean(name);
    }

    @Override
    public int compareTo(Item other) {
        return name.compareTo(other.name());
    }
}
