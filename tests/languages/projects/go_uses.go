//go:build ignore

// Prints which file of a project uses what of which other, by go/types, the type checker of the Go tools.
//
// Usage: go run go_uses.go FOLDER MODULE_FOLDER... > truth.json
package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Package is what `go list -json` says of one.
type Package struct {
	Dir, ImportPath                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports                            []string
}

type checker struct {
	root     string
	files    *token.FileSet
	packages map[string]*Package
	checked  map[string]*types.Package
	library  types.Importer
	edges    map[[2]string]bool
}

// Import returns a package of the project, or of the library.
func (c *checker) Import(path string) (*types.Package, error) {
	if known, ok := c.checked[path]; ok {
		return known, nil
	}
	if found, ok := c.packages[path]; ok {
		c.checked[path] = c.check(path, found.Dir, found.GoFiles, c)
		return c.checked[path], nil
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return nil, errors.New("outside of the project")
	}
	return c.library.Import(path)
}

// tested gives a test beside a package that package with what its own tests add.
type tested struct {
	*checker
	path  string
	value *types.Package
}

func (t tested) Import(path string) (*types.Package, error) {
	if path == t.path {
		return t.value, nil
	}
	return t.checker.Import(path)
}

func (c *checker) check(path, dir string, names []string, imports types.Importer) *types.Package {
	var files []*ast.File
	for _, name := range names {
		if file, _ := parser.ParseFile(c.files, filepath.Join(dir, name), nil, 0); file != nil {
			files = append(files, file)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports, Error: func(error) {}, FakeImportC: true}
	made, _ := config.Check(path, c.files, files, info)
	for name, object := range info.Uses {
		if _, isPackage := object.(*types.PkgName); isPackage || object.Pkg() == nil {
			continue
		}
		from, to := c.files.Position(name.Pos()).Filename, c.files.Position(object.Pos()).Filename
		if from != to && strings.HasPrefix(to, c.root) {
			source, _ := filepath.Rel(c.root, from)
			target, _ := filepath.Rel(c.root, to)
			c.edges[[2]string{source, target}] = true
		}
	}
	return made
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	files := token.NewFileSet()
	c := &checker{root, files, map[string]*Package{}, map[string]*types.Package{}, importer.ForCompiler(files, "source", nil), map[[2]string]bool{}}
	for _, module := range os.Args[2:] {
		list := exec.Command("go", "list", "-e", "-json", "./...")
		list.Dir = filepath.Join(root, module)
		output, _ := list.Output()
		for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
			var found Package
			if err := decoder.Decode(&found); err == io.EOF || err != nil {
				break
			}
			c.packages[found.ImportPath] = &found
		}
	}
	imports := map[string][]string{}
	for path, found := range c.packages {
		made := c.check(path, found.Dir, append(append([]string{}, found.GoFiles...), found.TestGoFiles...), c)
		c.check(path+"_test", found.Dir, found.XTestGoFiles, tested{c, path, made})
		folder, _ := filepath.Rel(root, found.Dir)
		for _, other := range found.Imports {
			if target, ok := c.packages[other]; ok {
				place, _ := filepath.Rel(root, target.Dir)
				imports[folder] = append(imports[folder], place)
			}
		}
	}
	uses := [][2]string{}
	for edge := range c.edges {
		uses = append(uses, edge)
	}
	sort.Slice(uses, func(i, j int) bool { return uses[i][0]+" "+uses[i][1] < uses[j][0]+" "+uses[j][1] })
	output := json.NewEncoder(os.Stdout)
	output.SetIndent("", " ")
	output.Encode(map[string]any{"packages": imports, "uses": uses})
}
