module example.com/demo

go 1.22

require (
	example.com/a v1.0.0
	example.com/b v2.1.0 // indirect
)

require example.com/c v0.1.0

exclude example.com/d v1.0.0
