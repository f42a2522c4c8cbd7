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
