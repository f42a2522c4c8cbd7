import { client } from './client' // => import ./client:client
import { area, Square, type Shape } from './shapes' // => import ./shapes:Shape (type_only); import ./shapes:Square; import ./shapes:area

export const LIMIT = 3 // => def variable LIMIT
const shared = client.connect() // => call ./client:client.connect; def variable shared
let current: Square // => def variable current; type ./shapes:Square
let made // => def variable made
var counter = 0 // => def variable counter
const { width, height: tall } = area // => def variable tall; def variable width; read ./shapes:area
const table = { // => def variable table
  area: LIMIT, // => read LIMIT
  client, // => read ./client:client
  first() { // => def method table.first
    return area(1) // => call ./shapes:area
  },
  second: async () => client.get('x'), // => call ./client:client.get; def method table.second
  nested: { deep: () => 1 }, // => def method table.deep
}

function shadowed(client: string, { area }: Shape, [Square]: string[], ...rest: Shape[]) { // => def function shadowed; type ./shapes:Shape
  client.get('x')
  return area(Square, rest)
}

function blocks() { // => def function blocks
  if (LIMIT) { // => read LIMIT
    const area = 1
    area.toFixed()
  }
  for (const Square of [1]) Square.x()
  for (let client = 0; client < 1; client++) client.y()
  try {
    area(2) // => call ./shapes:area
  } catch (area) {
    area.z()
  }
  {
    var hoisted = new Square() // => call ./shapes:Square
  }
  return hoisted.grow() // => call ./shapes:Square().grow
}

function ownBlocks(kind: number) { // => def function ownBlocks
  {
    const area = kind
    area.toFixed()
    {
      let Square
      Square.x()
      client.get('own') // => call ./client:client.get
    }
    new Square() // => call ./shapes:Square
  }
  named: {
    function client() {} // => def function ownBlocks.client
    client() // => call ownBlocks.client
    break named
  }
  switch (kind) {
    case LIMIT: { // => read LIMIT
      const client = kind
      client.y()
      break
    }
    default:
      client.delete('z') // => call ./client:client.delete
  }
  return area(4) // => call ./shapes:area
}

{
  const area = [counter] // => read counter
  area.x()
}
area.y() // => call ./shapes:area.y

class Initialised { // => def class Initialised
  static {
    const client = [LIMIT] // => read LIMIT
    client.x()
    area(6) // => call ./shapes:area
  }

  run() { // => def method Initialised.run
    client.get('run') // => call ./client:client.get
  }
}

function hoisting() { // => def function hoisting
  client()
  if (counter) { // => read counter
    var client = 1
  }
}

const arrow = (area: number) => area.toFixed() // => def function arrow
const outer = () => { // => def function outer
  const inner = () => client.get('y') // => call ./client:client.get; def function outer.inner
  return inner() // => call outer.inner
}
;[1, 2].map((client) => client.get('z')).filter(area)
export default () => area(3) // => call ./shapes:area; def function default

function followed(given: Square, maybe?: Shape | null) { // => call+type ./shapes:Square; def function followed; type ./shapes:Shape
  const square = new Square(2)
  square.grow() // => call ./shapes:Square().grow
  given.grow()
  maybe.grow() // => call ./shapes:Shape().grow
  shared.send() // => call ./client:client.connect().send
  client.connect().open().close() // => call ./client:client.connect; call ./client:client.connect().open; call ./client:client.connect().open().close
  client
    .connect()
    .then(area) // => call ./client:client.connect().then; read ./shapes:area
  const either = LIMIT ? new Square() : area // => read LIMIT
  either.unknown()
  current = new Square()
  current.grow()
  made = client.connect()
  made.send()
  const other = client // => read ./client:client
  other.get('w') // => call ./client:client.get
  return made!.send()?.later!.again() // => call ./client:client.connect().send().later.again
}

function writes() { // => def function writes
  counter = 2 // => read+write counter
  counter++
  client.timeout = 3 // => write ./client:client.timeout
  delete client.cache // => write ./client:client.cache
  let counter2 = 1
  counter2 += counter
  table.first() // => call table.first
  return { client: 1, area: LIMIT, LIMIT, [counter]: `${area} client` } // => read ./shapes:area; read LIMIT
}

function generics<T extends Shape>(value: T): T { // => def function generics; type ./shapes:Shape
  const made = new Map<string, Square>() // => type ./shapes:Square
  client.get<Square>('x') // => call ./client:client.get
  return area<T>(value), client.sql`select ${LIMIT}` // => call ./client:client.sql; call ./shapes:area; read LIMIT
}

export interface Options extends Shape { // => base ./shapes:Shape; def interface Options
  square: Square // => type ./shapes:Square
  client?: typeof client // => type ./client:client
  grow(by: Shape): void // => def method Options.grow; type ./shapes:Shape
}
export type Both = Shape & Options // => def type Both; type ./shapes:Shape; type Options
export enum Kind { Area = 'area', Client = LIMIT } // => def enum Kind; read LIMIT
export namespace Space.Deep { // => def namespace Space.Deep
  export const inside = area(4) // => call ./shapes:area
  export function go() { // => def function Space.Deep.go
    return inside
  }
}
declare function outside(shape: Shape): void // => def function outside; type ./shapes:Shape
function overloaded(a: string): void
function overloaded(a: number): void
function overloaded(a: unknown) { // => def function overloaded
  return a ? area : client // => read ./client:client; read ./shapes:area
}
label: while (true) break label
