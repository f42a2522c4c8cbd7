import fs, { promises } from 'fs' // => import fs:default as fs; import fs:promises
import { exec } from 'node:child_process' // => import node:child_process:exec
import http from 'http' // => import http:default as http
import Database from 'better-sqlite3' // => import better-sqlite3:default as Database
import Redis from 'ioredis' // => import ioredis:default as Redis
import { MongoClient } from 'mongodb' // => import mongodb:MongoClient
import express from 'express' // => import express:default as express
import * as local from './fs.js' // => import ./fs.js as local
import { PrismaClient } from '@prisma/client' // => import @prisma/client:PrismaClient

const db = new Database('a.db') // => call better-sqlite3:default; def variable db; effect database better-sqlite3
const row = db.prepare('select 1').get() // => call better-sqlite3:default().prepare; call better-sqlite3:default().prepare().get; def variable row; effect database better-sqlite3.Statement.get; effect database better-sqlite3.prepare
const redis = new Redis() // => call ioredis:default; def variable redis; effect cache ioredis
const prisma = new PrismaClient() // => call @prisma/client:PrismaClient; def variable prisma; effect database @prisma/client.PrismaClient
const app = express() // => call express:default; def variable app
app.listen(3000) // => call express:default().listen; effect network express.listen

export async function act(fetcher) { // => def function act
  const response = await fetch('https://example.org') // => effect network fetch
  fetcher.fetch('x')
  response.json()
  await promises.readFile('x') // => call fs:promises.readFile; effect file_io fs.promises.readFile
  fs.createReadStream('y').on('data', console.log) // => call fs:default.createReadStream; call fs:default.createReadStream().on; effect file_io fs.createReadStream
  exec('ls', (error) => console.error(error)) // => call node:child_process:exec; effect logging console.error; effect subprocess child_process.exec
  http.createServer(act).listen(80) // => call http:default.createServer; call http:default.createServer().listen; effect network http.Server.listen; effect network http.createServer; read act
  local.readFile('z') // => call ./fs.js.readFile
  await redis.get('k') // => call ioredis:default().get; effect cache ioredis.get
  const client = await new MongoClient('u').connect() // => call mongodb:MongoClient; call mongodb:MongoClient().connect; effect database mongodb.MongoClient; effect database mongodb.MongoClient.connect
  await client.db('d').collection('c').find({}) // => call mongodb:MongoClient().connect().db; call mongodb:MongoClient().connect().db().collection; call mongodb:MongoClient().connect().db().collection().find; effect database mongodb.Collection.find
  await prisma.user.findMany() // => call @prisma/client:PrismaClient().user.findMany; effect database @prisma/client.PrismaClient.user.findMany
  process.env.HOME = process.env.TOKEN ?? Date.now() + Math.random() // => effect clock Date.now; effect env process.env.HOME; effect env process.env.TOKEN; effect random Math.random
  const { env } = process
  localStorage.setItem('a', 'b') // => effect cache localStorage.setItem
  document.querySelector('x') // => effect ui document.querySelector
}
export function shadow(fetch, process) { // => def function shadow
  return fetch(process.env.X)
}
