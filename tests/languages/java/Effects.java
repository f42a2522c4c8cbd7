package com.acme.effects;

import java.io.File;  // => import java.io:File
import java.io.FileReader;  // => import java.io:FileReader
import java.net.http.HttpClient;  // => import java.net.http:HttpClient
import java.nio.file.*;  // => import java.nio.file:*
import java.sql.*;  // => import java.sql:*
import javax.sql.DataSource;  // => import javax.sql:DataSource
import org.slf4j.Logger;  // => import org.slf4j:Logger
import org.slf4j.LoggerFactory;  // => import org.slf4j:LoggerFactory
import org.springframework.data.jpa.repository.JpaRepository;  // => import org.springframework.data.jpa.repository:JpaRepository
import org.springframework.jdbc.core.JdbcTemplate;  // => import org.springframework.jdbc.core:JdbcTemplate

interface Users extends JpaRepository<User, Long> {  // => base org.springframework.data.jpa.repository:JpaRepository; def interface Users; read *.Long; read *.User
    User findByName(String name);  // => def method Users.findByName; read *.String; read *.User
}

class Effects {  // => def class Effects
    private static final Logger LOG = LoggerFactory.getLogger(Effects.class);  // => call org.slf4j:LoggerFactory.getLogger; def variable Effects.LOG; read Effects; read org.slf4j:Logger
    private final JdbcTemplate jdbc;  // => read org.springframework.jdbc.core:JdbcTemplate
    private final Users users;  // => read Users
    private final HttpClient client = HttpClient.newBuilder().build();  // => call java.net.http:HttpClient.newBuilder; call java.net.http:HttpClient.newBuilder().build; read java.net.http:HttpClient

    void disk(File file) throws Exception {  // => call+read java.io:File; def method Effects.disk; read *.Exception
        Files.readString(Path.of("x"));  // => call *.Files.readString; call *.Path.of; effect file_io java.nio.file.Files.readString
        file.delete();  // => call java.io:File().delete; effect file_io java.io.File.delete
        try (FileReader reader = new FileReader(file)) {}  // => call+read java.io:FileReader; effect file_io java.io.FileReader
        new File("x").exists();  // => call java.io:File().exists; effect file_io java.io.File.exists
        Path path = Paths.get("x");  // => call *.Paths.get; read *.Path
        path.toFile().mkdirs();  // => call *.Path().toFile; call *.Path().toFile().mkdirs; effect file_io java.io.File.mkdirs
    }

    void world(DataSource source) throws Exception {  // => def method Effects.world; read *.Exception; read javax.sql:DataSource
        System.getenv("HOME");  // => call *.System.getenv; effect env java.lang.System.getenv
        System.out.println("x");  // => call *.System.out.println; effect ui java.lang.System.out.println
        new ProcessBuilder("ls").start();  // => call *.ProcessBuilder; call *.ProcessBuilder().start; effect subprocess java.lang.ProcessBuilder.start
        Runtime.getRuntime().exec("ls");  // => call *.Runtime.getRuntime; call *.Runtime.getRuntime().exec; effect subprocess java.lang.Runtime.exec
        LOG.info("x");  // => call org.slf4j:Logger().info; effect logging org.slf4j.Logger.info
        Thread.sleep(1);  // => call *.Thread.sleep; effect clock java.lang.Thread.sleep
        client.send(null, null);  // => call java.net.http:HttpClient().send; effect network java.net.http.HttpClient.send
        jdbc.update("x");  // => call org.springframework.jdbc.core:JdbcTemplate().update; effect database org.springframework.jdbc.core.JdbcTemplate.update
        users.save(null);  // => call Users.save; effect database org.springframework.data.jpa.repository.JpaRepository.save
        try (Connection connection = source.getConnection()) {  // => call javax.sql:DataSource().getConnection; effect database javax.sql.DataSource.getConnection; read *.Connection
            connection.prepareStatement("x").executeQuery();  // => call *.Connection().prepareStatement; call *.Connection().prepareStatement().executeQuery; effect database java.sql.Connection.prepareStatement; effect database java.sql.PreparedStatement.executeQuery
        }
        var statement = DriverManager.getConnection("x").createStatement();  // => call *.DriverManager.getConnection; call *.DriverManager.getConnection().createStatement; effect database java.sql.Connection.createStatement; effect database java.sql.DriverManager.getConnection
        statement.execute("x");  // => call *.DriverManager.getConnection().createStatement().execute; effect database java.sql.Statement.execute
        java.util.UUID.randomUUID();  // => call *.java.util.UUID.randomUUID; effect random java.util.UUID.randomUUID
    }

    void mine(System System) {  // => def method Effects.mine
        System.getenv("x");  // => call *.System().getenv; effect env java.lang.System.getenv
    }
}
