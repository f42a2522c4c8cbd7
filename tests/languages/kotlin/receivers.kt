package com.acme.receivers

import android.database.sqlite.SQLiteOpenHelper  // => import android.database.sqlite:SQLiteOpenHelper
import java.io.File  // => import java.io:File
import java.net.HttpURLConnection  // => import java.net:HttpURLConnection
import java.net.URL  // => import java.net:URL
import okhttp3.OkHttpClient  // => import okhttp3:OkHttpClient

fun File.prepare(): Boolean = mkdirs() || isDirectory  // => call java.io:File().mkdirs; def method File.prepare; effect file_io java.io.File.isDirectory; effect file_io java.io.File.mkdirs; read java.io:File

fun String.shout() = mkdirs()  // => call *.mkdirs; def method String.shout

fun blocks(folder: File, text: String, other: Unknown) {  // => call+read java.io:File; def function blocks; read *.Unknown
    with(folder) { exists() }  // => call *.with; call java.io:File().exists; effect file_io java.io.File.exists
    folder.apply { listFiles() }  // => call java.io:File().apply; call java.io:File().listFiles; effect file_io java.io.File.listFiles
    folder.parentFile.run { delete() }  // => call java.io:File().parentFile.delete; call java.io:File().parentFile.run; effect file_io java.io.File.delete
    folder.also { each -> each.createNewFile() }  // => call java.io:File().also; call java.io:File().createNewFile; effect file_io java.io.File.createNewFile
    other.apply { mkdirs() }  // => call *.Unknown().apply; call *.mkdirs
    folder.let { other.run { this.delete() } }  // => call *.Unknown().delete; call *.Unknown().run; call java.io:File().let
    val later by lazy { File(text) }  // => call *.lazy
    later.exists()  // => effect file_io java.io.File.exists
    val connection = URL(text).openConnection() as HttpURLConnection  // => call java.net:URL; call java.net:URL().openConnection; effect network java.net.URL.openConnection; read java.net:HttpURLConnection
    connection.connect()  // => call java.net:HttpURLConnection().connect; effect network java.net.HttpURLConnection.connect
}

fun own(folder: File) {  // => def function own; read java.io:File
    fun exists() = true  // => def function own.exists
    with(folder) { exists() }  // => call *.with; call own.exists
}

class Store(client: OkHttpClient) : SQLiteOpenHelper() {  // => base android.database.sqlite:SQLiteOpenHelper; def class Store; read okhttp3:OkHttpClient
    private val call = client.newCall(1)  // => call okhttp3:OkHttpClient().newCall; def variable Store.call; effect network okhttp3.OkHttpClient.newCall
    private val injected by inject<OkHttpClient>()  // => call *.inject; def variable Store.injected

    fun read() = readableDatabase.rawQuery("select 1")  // => call Store.readableDatabase.rawQuery; def method Store.read; effect database android.database.sqlite.SQLiteDatabase.rawQuery

    fun fetch() {  // => def method Store.fetch
        injected.newCall(call)  // => call okhttp3:OkHttpClient().newCall; effect network okhttp3.OkHttpClient.newCall
        val got = Injekt.get<OkHttpClient>()  // => call *.Injekt.get; read okhttp3:OkHttpClient
        got.newCall(call)  // => effect network okhttp3.OkHttpClient.newCall
        delete()  // => call Store.delete
    }

    private fun delete() = Unit  // => def method Store.delete
}
