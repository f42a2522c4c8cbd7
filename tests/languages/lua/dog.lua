--- Dogs, and what they say.
local Animal = require("zoo.animal") -- => import zoo.animal as Animal
local http = require "socket.http" -- => import socket.http as http
local trim = require("zoo.text").trim -- => import zoo.text:trim
require("zoo.globals") -- => import zoo.globals (dynamic)
local ok, cjson = pcall(require, "cjson") -- => import cjson (dynamic)

local Dog = setmetatable({}, { __index = Animal }) -- => def class Dog; base zoo.animal
Dog.__index = Dog -- => read Dog; write Dog.__index
local count = 0 -- => def variable count
local names = { "Rex" } -- => def variable names

-- Makes one.
function Dog.new(name) -- => def method Dog.new
  local self = setmetatable({}, Dog) -- => read Dog
  self.name = trim(name) -- => call zoo.text:trim; write Dog.name
  count = count + 1 -- => read+write count
  return self
end

function Dog:speak(loud) -- => def method Dog.speak
  local print = loud
  print(self.name)
  self:bark(names[1]) -- => call Dog.bark; read names
  Animal.speak(self) -- => call zoo.animal.speak
  for i, trim in ipairs(names) do
    trim(i)
  end
  return http.request("http://example.org") -- => call socket.http.request; effect network socket.http.request
end

Dog.bark = function(self, word) -- => def method Dog.bark
  local file = io.open("barks.log", "a") -- => effect file_io io.open
  file:write(word .. os.getenv "HOME") -- => effect file_io io.open.write; effect env os.getenv
  file:close() -- => effect file_io io.open.close
end

local function helper(dog) -- => def function helper
  local other = Dog.new("x") -- => call Dog.new
  other:speak(true) -- => call Dog.speak
  print("helper", dog.speak) -- => effect ui print
end

helper({ helper = 1 }) -- => call helper
return Dog
