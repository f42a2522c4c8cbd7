package com.acme.other;

public class Names {
    public static void hidden() {}
}
