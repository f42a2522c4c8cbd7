'use strict'
const fs = require('fs') // => import fs (require)
const { promises: files, readFileSync, existsSync = null } = require('node:fs') // => import node:fs:existsSync (require); import node:fs:promises as files (require); import node:fs:readFileSync (require)
const Router = require('./router') // => import ./router as Router (require)
const part = require('./parts').part // => import ./parts:part (require)
const made = require('./make')(fs) // => def variable made; import ./make (require); read fs
var debug = require('debug')('app') // => def variable debug; import debug (require)
require('./register') // => import ./register (require)
if (debug) { // => read debug
  var optional = require('optional') // => import optional (require)
}

function Server(port) { // => def function Server
  this.port = port
  this.start = () => optional.run()
}
Server.prototype.listen = function listen() { // => def function Server.prototype.listen
  return readFileSync('x') && files.writeFile('y') && made.use(part) // => call made.use; call node:fs:promises.writeFile; call node:fs:readFileSync; effect file_io fs.promises.writeFile; effect file_io fs.readFileSync; read ./parts:part
}
Server.create = () => new Server(1) // => call Server; def function Server.create
Server.prototype.close = function () { // => def function Server.prototype.close
  const fs = 1
  fs.closeSync(2)
}

exports.version = '1' // => def variable version
exports.Router = Router // => read ./router
exports.helper = function (a) { // => def function helper
  return Router(a) // => call ./router
}
module.exports.other = () => fs.existsSync('z') // => call fs.existsSync; def function other; effect file_io fs.existsSync
exports.sub = require('./sub') // => import ./sub as sub (reexport)
module.exports = {
  Server, // => read Server
  renamed: Router,
  inline() { // => def method inline
    return helperFor(Server) // => call helperFor; read Server
  },
  arrow: (x) => part(x), // => call ./parts:part; def method arrow
  passed: require('./passed'), // => import ./passed as passed (reexport)
}
module.exports = require('./all') // => import ./all:* (reexport)
module.exports = Server

function helperFor(thing) { // => def function helperFor
  return [...fs.readdirSync('a'), ...thing] // => call fs.readdirSync; effect file_io fs.readdirSync
}
class Late extends Server { // => base Server; def class Late
  #p = 1
  static s = new Map()
  handle = () => this.run() // => call Late.run; def method Late.handle
  run() { // => def method Late.run
    return this.#p
  }
}
jest.mock('./replaced', () => ({ run: 1 })) // => import ./replaced (mocked)
jest.mock('./partly', () => ({ ...jest.requireActual('./partly') }))
vi.doMock('./later') // => import ./later (mocked)
