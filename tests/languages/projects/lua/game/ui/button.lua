return { label = require("log")("button") }
