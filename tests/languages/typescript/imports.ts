import fs from 'node:fs' // => import node:fs:default as fs
import * as path from 'path' // => import path
import { readFile as read, type Stats } from 'fs/promises' // => import fs/promises:Stats (type_only); import fs/promises:readFile as read
import type { Shape } from './shapes' // => import ./shapes:Shape (type_only)
import type Whole from './whole.js' // => import ./whole.js:default as Whole (type_only)
import axios, { type AxiosInstance } from 'axios' // => import axios:AxiosInstance (type_only); import axios:default as axios
import './polyfill' // => import ./polyfill
import {} from './nothing' // => import ./nothing
import { default as main } from './main' // => import ./main:default as main
import { "odd name" as odd } from './odd' // => import ./odd:odd name as odd
import legacy = require('./legacy') // => import ./legacy as legacy
import json from './data.json' with { type: 'json' } // => import ./data.json:default as json
export { area, area as surface } from './shapes' // => import ./shapes:area (reexport); import ./shapes:area as surface (reexport)
export { default } from './main' // => import ./main:default (reexport)
export { default as Renamed, type Shape as Form } from './shapes' // => import ./shapes:Shape as Form (reexport); import ./shapes:default as Renamed (reexport)
export * from './star' // => import ./star:* (reexport)
export * as ns from './ns' // => import ./ns as ns (reexport)
export type { Only } from './types' // => import ./types:Only (reexport)

const lazy = await import('./lazy') // => import ./lazy as lazy (dynamic)
const { one, two: second } = await import('./parts') // => import ./parts:one (dynamic); import ./parts:two as second (dynamic)
const sync = require('./sync') // => import ./sync as sync (require)

export async function late(name: string) { // => def function late
  const { default: found } = await import('./late') // => import ./late:default as found (dynamic)
  await import(`./${name}`)
  await import(`./plain`) // => import ./plain (dynamic)
  const old = require('./old').part // => import ./old:part as old (require)
  return [found(), old(), lazy.go(), one, second, sync.run()] // => call ./late:default; call ./lazy.go; call ./old:part; call ./sync.run; read ./parts:one; read ./parts:two
}

new Worker(new URL('./worker.ts', import.meta.url)) // => import ./worker.ts (dynamic)
new URL('https://example.org/x', base)
const text = "import x from 'not-one'" // import y from 'nor-this' // => def variable text
/* require('neither') */
fs.readFileSync(path.join('a')) // => call node:fs:default.readFileSync; call path.join; effect file_io fs.readFileSync
read('b') // => call fs/promises:readFile; effect file_io fs.promises.readFile
axios.get<Shape>('c') // => call axios:default.get; effect network axios.get; type ./shapes:Shape
legacy.start(main, odd, json) // => call ./legacy.start; read ./data.json:default; read ./main:default; read ./odd:odd name

export function typed(a: Shape, b: Whole): Promise<Stats> { // => def function typed; type ./shapes:Shape; type ./whole.js:default; type fs/promises:Stats
  const c = a as Shape
  return c satisfies Shape, b
}
