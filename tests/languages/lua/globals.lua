local io, os = io, os
local string = string -- the library
local print, other = print, io

local function save(path) -- => def function save
  local file = io.open(path, "w") -- => effect file_io io.open
  file:write(string.format("%d", 1)) -- => effect file_io io.open.write
  os.remove(path) -- => effect file_io os.remove
end

local function shadowed(io) -- => def function shadowed
  io.open("x")
end

local compat = other -- => def variable compat
local table = compat and compat.table or table; local lines = lines -- => read compat; read compat.table
local uv = vim.uv or vim.loop -- => def variable uv
local C = ffi.C -- => def variable C

local function more(name) -- => def function more
  uv.fs_stat(name) -- => effect file_io vim.uv.fs_stat
  ngx.shared[name]:get(name) -- => effect cache ngx.shared.DICT.get
  C.socket(1) -- => call C.socket
  table.concat(name)
end
