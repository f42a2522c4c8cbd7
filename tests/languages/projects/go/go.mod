module example.com/shop

go 1.19

require (
	example.com/lib v1.2.0
	example.com/shop/tools v0.0.0 // a module of its own
)

replace example.com/lib v1.2.0 => ./lib

replace example.com/shop/tools => ./tools
