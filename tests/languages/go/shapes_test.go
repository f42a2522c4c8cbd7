package shapes_test

import (
	"testing" // => import testing

	. "example.com/app/shapes" // => import example.com/app/shapes:*
)

func TestMain(m *testing.M) { // => def function TestMain; read testing.M
	m.Run() // => call testing.M().Run
}

func TestNew(t *testing.T) { // => def function TestNew; read testing.T
	tests := []struct{ name string }{{name: "a"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { // => call testing.T().Run
			New(Small, tt.name).Rename("x") // => call *.New; read *.Small; call *.New().Rename
		})
	}
}
func BenchmarkNew(b *testing.B) {} // => def function BenchmarkNew; read testing.B
func FuzzNew(f *testing.F) {} // => def function FuzzNew; read testing.F
func ExampleNew() {} // => def function ExampleNew
func Testify(t *testing.T) {} // => def function Testify; read testing.T

type NewSuite struct{} // => def struct NewSuite

func (s *NewSuite) TestAdds() {} // => def method NewSuite.TestAdds; read NewSuite
