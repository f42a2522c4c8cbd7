local M = {}
local again = require("deep")
function M.run() return again.n end
return M
