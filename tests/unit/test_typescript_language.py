"""How imports are read and qualified, and what calls of the outside do."""

import pytest

from memoire.dispatch import extract
from memoire.languages.typescript.language import LANGUAGE, qualify
from memoire.model import Import


@pytest.mark.parametrize(
    ("specifier", "name", "qualified"),
    [
        ("fs", "default", "fs"),
        ("node:fs", "", "fs"),
        ("node:fs/promises", "readFile", "fs.promises.readFile"),
        ("fs", "promises", "fs.promises"),
        ("axios", "default", "axios"),
        ("pg", "Pool", "pg.Pool"),
        ("mysql2/promise", "createPool", "mysql2/promise.createPool"),
        ("@prisma/client", "PrismaClient", "@prisma/client.PrismaClient"),
        ("npm:ioredis@5", "Redis", "ioredis.Redis"),
        ("npm:drizzle-orm@0.30/libsql", "drizzle", "drizzle-orm/libsql.drizzle"),
        ("bun:sqlite", "Database", "bun:sqlite.Database"),
        ("./fs", "readFile", ""),
        ("@/fs", "readFile", ""),
        ("#fs", "readFile", ""),
        ("fs", "*", ""),
    ],
)
def test_an_import_from_outside_binds_a_qualified_name(specifier: str, name: str, qualified: str) -> None:
    assert qualify(Import(specifier, name, "x", 1)) == qualified


@pytest.mark.parametrize(
    ("source", "effects"),
    [
        ("import { writeFile } from 'node:fs/promises'\nawait writeFile('x', 'y')", {"file_io"}),
        ("import * as fs from 'fs'\nfs.promises.readFile('x')", {"file_io"}),
        ("const { execSync } = require('child_process')\nexecSync('ls')", {"subprocess"}),
        ("import cp from 'child_process'\nconst child = cp.spawn('ls')\nchild.kill()", {"subprocess"}),
        ("import https from 'https'\nhttps.get('u')", {"network"}),
        ("import net from 'net'\nnet.createServer().listen(1)", {"network"}),
        ("import dgram from 'dgram'\ndgram.createSocket('udp4').send('x')", {"network"}),
        ("import dns from 'dns'\ndns.promises.lookup('x')", {"network"}),
        ("await fetch('u')", {"network"}),
        ("await globalThis.fetch('u')", {"network"}),
        ("new WebSocket('u')", {"network"}),
        ("import axios from 'axios'\naxios.get('u')", {"network"}),
        ("import axios from 'axios'\nconst api = axios.create()\nexport const get = () => api.get('u')", {"network"}),
        ("import got from 'got'\nawait got('u').json()", {"network"}),
        ("import nodeFetch from 'node-fetch'\nnodeFetch('u')", {"network"}),
        ("import { request } from 'undici'\nrequest('u')", {"network"}),
        ("import { WebSocketServer } from 'ws'\nnew WebSocketServer({})", {"network"}),
        ("import { execa } from 'execa'\nawait execa('ls')", {"subprocess"}),
        ("import { $ } from 'execa'\nawait $`ls`", {"subprocess"}),
        ("import fse from 'fs-extra'\nfse.copy('a', 'b')", {"file_io"}),
        ("import sqlite3 from 'sqlite3'\nnew sqlite3.Database('a').run('x')", {"database"}),
        ("const Database = require('better-sqlite3')\nconst db = new Database('a')\ndb.exec('x')", {"database"}),
        ("import { Pool } from 'pg'\nasync function q(p: Pool) {\n  await p.query('x')\n}", {"database"}),
        ("import mysql from 'mysql2/promise'\nconst c = await mysql.createPool({})\nc.execute('x')", {"database"}),
        ("import mongoose from 'mongoose'\nconst U = mongoose.model('U')\nawait U.findOne({})", {"database"}),
        ("import knex from 'knex'\nconst db = knex({})\ndb.select()", {"database"}),
        ("import { DataSource } from 'typeorm'\nnew DataSource({}).getRepository(U).find()", {"database"}),
        ("import { DatabaseSync } from 'node:sqlite'\nnew DatabaseSync('a').prepare('x').get()", {"database"}),
        ("import { createClient } from 'redis'\nconst c = createClient()\nc.get('k')", {"cache"}),
        ("import { LRUCache } from 'lru-cache'\nconst c = new LRUCache({})\nc.get('k')", {"cache"}),
        ("import NodeCache from 'node-cache'\nnew NodeCache().set('k', 1)", {"cache"}),
        ("const x = process.env.HOME", {"env"}),
        ("const { HOME } = process.env", {"env"}),
        ("const x = import.meta.env.VITE_X", {"env"}),
        ("Date.now()", {"clock"}),
        ("Math.random()", {"random"}),
        ("import { randomUUID } from 'crypto'\nrandomUUID()", {"random"}),
        ("console.log('x')", {"logging"}),
        ("Deno.readTextFile('x')", {"file_io"}),
        ("Bun.serve({})", {"network"}),
        # the same names, of something else
        ("const fetch = (x: string) => x\nfetch('u')", set()),
        ("function f(process: any, console: any) {\n  process.env.X\n  console.log(1)\n}", set()),
        ("import { readFile } from './mine'\nreadFile('x')", set()),
        ("thing.query('x')\nthing.fetch('y')", set()),
        ("// fs.readFileSync('x')\nconst a = 'fetch(1)'", set()),
        ("import type { Pool } from 'pg'\nexport type P = Pool", set()),
        ("import fs from 'fs'\n{\n  const f = (fs: any) => fs.readFileSync('x')\n}", set()),
    ],
)
def test_a_call_that_leaves_the_process_is_an_effect(source: str, effects: set[str]) -> None:
    assert {effect.category for effect in extract("a.ts", source.encode()).effects} == effects


def test_one_language_reads_scripts_and_typed_sources() -> None:
    assert set(LANGUAGE.suffixes) == {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
    assert LANGUAGE.syntax is not None
    assert set(LANGUAGE.syntax.grammars) == set(LANGUAGE.syntax.queries) == set(LANGUAGE.suffixes)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import {\n  a, // b\n  c as d,\n  /* e, */ type F,\n} from 'x'", ["a", "d", "F"]),
        ("import type, { type } from 'x'", ["type", "type"]),
        ("import { type as as, type as, as as b } from 'x'", ["as", "as", "b"]),
        ("import a, * as b from 'x'", ["a", "b"]),
        ("import {} from 'x'", [""]),
        ("const { a, b: c, d = 1, ...e } = require('x')", ["a", "c", "d"]),
        ("const { a: { b } } = require('x')", [""]),
        ("let a", []),
        ("import 'x", []),
    ],
)
def test_every_name_of_an_import_is_read(source: str, names: list[str]) -> None:
    assert [item.alias for item in extract("a.ts", source.encode()).imports] == names
