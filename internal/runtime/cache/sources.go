package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// Sources are what a project's own packages in Go are compiled from, by folder. To
// compile a suite before its tests run costs a call of the go command that the tests
// make again, and saves the next run what this one changed. Where that is little, as for
// most pushes, the tests compile it.
type Sources struct {
	at      string // where they are compiled, which is part of what they are compiled to
	folders map[string]*goFolder
}

type goFolder struct {
	product, tests string // digests
	imports        []string
}

// A suite is near to another where of so many folders one is compiled anew.
const foldersForOne = 10

// goSources are the ends of the names of what the go command compiles.
var goSources = []string{".go", ".s", ".S", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".m", ".syso"}

// maxSource bounds a file that is compiled.
const maxSource = 64 << 20

// ReadSources reads them before any code of the project ran, and adds them to a digest.
// What they embed is left out: a package that embeds another file than before is compiled
// by the tests.
func ReadSources(dir, at string, sum io.Writer) (Sources, error) {
	out := Sources{at, map[string]*goFolder{}}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return out, err
	}
	defer func() { _ = root.Close() }()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !slices.Contains(goSources, path.Ext(d.Name())):
			return nil
		}
		data, err := rooted.Read(root, name, maxSource)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(data)
		out.add(name, data, digest[:])
		_, err = fmt.Fprintf(sum, "%q %x\n", name, digest)
		return err
	})
	return out, err
}

func (s Sources) add(name string, data, digest []byte) {
	in := s.folders[path.Dir(name)]
	if in == nil {
		in = &goFolder{}
		s.folders[path.Dir(name)] = in
	}
	side := &in.product
	if strings.HasSuffix(name, "_test.go") {
		side = &in.tests
	}
	*side = mark(s.at, *side, name, string(digest))
	if path.Ext(name) != ".go" {
		return
	}
	// What cannot be read imports nothing: it is not compiled either.
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.ImportsOnly)
	if err != nil {
		return
	}
	for _, i := range file.Imports {
		if of, err := strconv.Unquote(i.Path.Value); err == nil {
			in.imports = append(in.imports, of)
		}
	}
}

// mark is a word that stands for others, and is the name of no entry.
func mark(of ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", of))
	return "=" + hex.EncodeToString(sum[:12])
}

// marks tell the sources: one for the product of each folder, its tests, and each import.
func (s Sources) marks() []string {
	all := map[string]bool{}
	for _, in := range s.folders {
		all[in.product], all[in.tests] = true, true
		for _, of := range in.imports {
			all[mark(of)] = true
		}
	}
	delete(all, "")
	return slices.Sorted(maps.Keys(all))
}

// near reports whether most packages are as in sources of which the marks are known, and
// none is imported that was not: another's is compiled once and kept.
func (s Sources) near(marks []string) bool {
	known := map[string]bool{"": true}
	for _, m := range marks {
		known[m] = true
	}
	stale, changed := map[string]bool{}, []string{}
	for dir, in := range s.folders {
		if slices.ContainsFunc(in.imports, func(of string) bool { return !known[mark(of)] }) {
			return false
		}
		if !known[in.product] {
			changed = append(changed, dir)
		}
		if !known[in.product] || !known[in.tests] {
			stale[dir] = true
		}
	}
	importers := s.importers()
	for len(changed) > 0 {
		of := changed[0]
		changed = changed[1:]
		for _, dir := range importers[of] {
			if !stale[dir] {
				changed = append(changed, dir)
			}
			stale[dir] = true
		}
	}
	return len(s.folders) > 0 && len(stale) <= max(1, len(s.folders)/foldersForOne)
}

// importers are the folders that may import each: an import is taken for every folder
// whose name it ends with, and for the topmost one, which has none.
func (s Sources) importers() map[string][]string {
	out := map[string][]string{}
	for dir, in := range s.folders {
		for _, of := range in.imports {
			for rest, more := of, true; more; _, rest, more = strings.Cut(rest, "/") {
				if s.folders[rest] != nil && rest != dir {
					out[rest] = append(out[rest], dir)
				}
			}
		}
		if dir != "." {
			out["."] = append(out["."], dir)
		}
	}
	return out
}
