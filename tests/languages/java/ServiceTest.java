package com.acme.app;

import org.junit.jupiter.api.BeforeEach;  // => import org.junit.jupiter.api:BeforeEach
import org.junit.jupiter.api.Test;  // => import org.junit.jupiter.api:Test
import org.junit.jupiter.params.ParameterizedTest;  // => import org.junit.jupiter.params:ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource;  // => import org.junit.jupiter.params.provider:ValueSource

class ServiceTest {  // => def class ServiceTest
    private Service service;  // => read *.Service

    @BeforeEach  // => def method ServiceTest.setUp; read org.junit.jupiter.api:BeforeEach
    void setUp() {
        service = new Service(null);  // => call *.Service; write ServiceTest.service
    }

    @Test  // => def method ServiceTest.finds; read org.junit.jupiter.api:Test
    void finds() {
        service.find("x", null);  // => call *.Service().find
    }

    @ParameterizedTest  // => def method ServiceTest.takes; read org.junit.jupiter.params:ParameterizedTest
    @ValueSource(strings = {"a", "b"})  // => call org.junit.jupiter.params.provider:ValueSource
    void takes(String key) {  // => read *.String
        service.find(key, null);  // => call *.Service().find
    }

    void helper() {}  // => def method ServiceTest.helper
}
