package com.acme.core;

public @interface Marker {
    Class<?> value() default Object.class;
}
