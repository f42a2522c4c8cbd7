local button = require("game.ui.button")
return { name = function() return button.label end }
