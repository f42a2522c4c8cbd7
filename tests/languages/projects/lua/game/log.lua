return error("never loaded: game/ is no root")
