package.path = "./?.lua;./?/init.lua;./src/?.lua;./src/?/init.lua;./lib/?.lua"
local ui = require("game.ui")
local deep = require "deep.thing"
local log = require('log')
print(ui.name(), deep.run(), log("x"))
