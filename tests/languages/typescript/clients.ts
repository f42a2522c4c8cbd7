import { HttpClient } from '@angular/common/http' // => import @angular/common/http:HttpClient
import { inject } from '@angular/core' // => import @angular/core:inject
import { execFile as start } from 'node:child_process' // => import node:child_process:execFile as start
import { promisify } from 'node:util' // => import node:util:promisify
import { Pool } from 'pg' // => import pg:Pool
import { PrismaClient } from '../generated/prisma' // => import ../generated/prisma:PrismaClient
import { once } from './once' // => import ./once:once
const run = promisify(start) // => call node:util:promisify; def variable run; read node:child_process:execFile
const pool = globalThis.pool ?? new Pool() // => call pg:Pool; def variable pool; effect database pg.Pool
const kept = once('kept', () => new Pool()) // => call ./once:once; def variable kept; effect database pg.Pool
const either = LIMIT ? new Pool() : start // => def variable either; effect database pg.Pool
const maybe = LIMIT ? new PrismaClient() : null // => call ../generated/prisma:PrismaClient; def variable maybe; effect database @prisma/client.PrismaClient
export default { pool, kept: pool } // => def variable default
export class Api { // => def class Api
  http = inject(HttpClient) // => call @angular/core:inject; read @angular/common/http:HttpClient
  get client(): HttpClient { // => def method Api.client; type @angular/common/http:HttpClient
    return this.http
  }
  other(): HttpClient { // => def method Api.other; type @angular/common/http:HttpClient
    return this.http
  }
  load() { // => def method Api.load
    this.http.get('x') // => call @angular/common/http:HttpClient().get; effect network @angular/common/http.HttpClient.get; read Api.http
    this.client.post('x') // => call @angular/common/http:HttpClient().post; effect network @angular/common/http.HttpClient.post; read Api.client
    this.other.post('x') // => call Api.other.post; read Api.other
    run('ls') // => call node:child_process:execFile; effect subprocess child_process.execFile
    pool.query('x') // => call pg:Pool().query; effect database pg.Pool.query
    kept.query('x') // => effect database pg.Pool.query
    either.query('x') // => call either.query
    maybe.user.create() // => call ../generated/prisma:PrismaClient().user.create; effect database @prisma/client.PrismaClient.user.create
  }
}
