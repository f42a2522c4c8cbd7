package com.acme.core;

public final class Names {
    public static final int LONGEST = 80;

    private Names() {}

    public static String clean(String name) {
        return name.trim();
    }

    public enum Style { PLAIN, LOUD }
}
