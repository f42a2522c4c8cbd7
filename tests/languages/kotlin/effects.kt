package com.acme.effects

import io.ktor.client.HttpClient  // => import io.ktor.client:HttpClient
import io.ktor.client.request.get  // => import io.ktor.client.request:get
import java.io.File  // => import java.io:File
import java.sql.DriverManager  // => import java.sql:DriverManager
import org.jetbrains.exposed.sql.transactions.transaction  // => import org.jetbrains.exposed.sql.transactions:transaction
import org.slf4j.LoggerFactory  // => import org.slf4j:LoggerFactory

private val log = LoggerFactory.getLogger("x")  // => call org.slf4j:LoggerFactory.getLogger; def variable log

class Effects(private val client: HttpClient) {  // => def class Effects; def variable Effects.client; read io.ktor.client:HttpClient
    suspend fun run(file: File) {  // => call+read java.io:File; def method Effects.run
        File("x").readText()  // => call java.io:File().readText; effect file_io java.io.File.readText
        file.delete()  // => call java.io:File().delete; effect file_io java.io.File.delete
        println("x")  // => call *.println; effect ui kotlin.io.println
        System.getenv("HOME")  // => call *.System.getenv; effect env java.lang.System.getenv
        client.get("x")  // => call io.ktor.client:HttpClient().get; effect network io.ktor.client.HttpClient.get
        transaction { load() }  // => call *.load; call org.jetbrains.exposed.sql.transactions:transaction; effect database org.jetbrains.exposed.sql.transactions.transaction
        log.info("x")  // => call org.slf4j:LoggerFactory.getLogger().info; effect logging org.slf4j.Logger.info
        DriverManager.getConnection("x").use { it.close() }  // => call java.sql:DriverManager.getConnection; call java.sql:DriverManager.getConnection().close; call java.sql:DriverManager.getConnection().use; effect database java.sql.Connection.close; effect database java.sql.DriverManager.getConnection
        ProcessBuilder("ls").start()  // => call *.ProcessBuilder; call *.ProcessBuilder().start; effect subprocess java.lang.ProcessBuilder.start
        readText()  // => call *.readText
    }
}
