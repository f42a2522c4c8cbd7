module github.com/acme/shop  // => def key github.com/acme/shop

go 1.22

require github.com/gorilla/mux v1.8.1  // => import go:github.com/gorilla/mux (dependency)

require (
	golang.org/x/net v0.20.0  // => import go:golang.org/x/net (dependency)
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/acme/core => ../core  // => import ../core (dependency)

replace example.com/a => example.com/b v1.0.0
