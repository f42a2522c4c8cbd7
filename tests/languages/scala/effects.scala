package com.acme.effects

import java.io.File  // => import java.io:File
import java.sql.DriverManager  // => import java.sql:DriverManager
import org.slf4j.LoggerFactory  // => import org.slf4j:LoggerFactory
import scala.io.Source  // => import scala.io:Source
import scala.sys.process._  // => import scala.sys.process:*
import scala.util.Random  // => import scala.util:Random

class Effects(file: File) {  // => def class Effects; read java.io:File
  private val log = LoggerFactory.getLogger("x")  // => call org.slf4j:LoggerFactory.getLogger; def variable Effects.log

  def run(): Unit = {  // => def method Effects.run
    Source.fromFile("x").mkString  // => call scala.io:Source.fromFile; effect file_io scala.io.Source.fromFile; read scala.io:Source.fromFile().mkString
    file.exists  // => effect file_io java.io.File.exists; read java.io:File().exists
    os.read(path)  // => call *.os.read; effect file_io os.read; read *.path
    os.proc("ls").call()  // => call *.os.proc; call *.os.proc().call; effect subprocess os.proc; effect subprocess os.proc.call
    requests.get("x")  // => call *.requests.get; effect network requests.get
    Process("ls").run  // => call *.Process; effect subprocess scala.sys.process.Process; effect subprocess scala.sys.process.Process.run; read *.Process().run
    println("x")  // => call *.println; effect ui scala.Predef.println
    log.info("x")  // => call org.slf4j:LoggerFactory.getLogger().info; effect logging org.slf4j.Logger.info
    Random.nextInt(3)  // => call scala.util:Random.nextInt; effect random scala.util.Random.nextInt
    DriverManager.getConnection("x").createStatement.execute("x")  // => call java.sql:DriverManager.getConnection; call java.sql:DriverManager.getConnection().createStatement.execute; effect database java.sql.Connection.createStatement; effect database java.sql.DriverManager.getConnection; effect database java.sql.Statement.execute
    System.currentTimeMillis  // => effect clock java.lang.System.currentTimeMillis; read *.System.currentTimeMillis
    sys.env.get("HOME")  // => call *.sys.env.get; effect env scala.sys.env; effect env scala.sys.env.get
  }
}
