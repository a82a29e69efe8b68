package adapter

import (
	"path"
	"slices"
	"strings"
	"time"
)

// compiledTo are the extensions that compilers of TypeScript give what they write, by
// that of the source.
var compiledTo = map[string][]string{".ts": {".js"}, ".mts": {".mjs"}, ".cts": {".cjs"}, ".tsx": {".js", ".jsx"}}

// Bounds of what stands above a path in the folder of a build and in that of its sources:
// "dist/esm/test/a.js" of "src/test/a.ts".
const (
	outFolders     = 2
	skippedFolders = 1
)

// A compilation is a path that a build may write for a source: below the folder that
// both lie in, in one or two folders of the build, and what follows these. Of
// packages/a/src/test/b.test.ts one is "packages/a", "test/b.test.js".
type compilation struct{ shared, rest string }

func compilations(file string) []compilation {
	ext := path.Ext(file)
	var out []compilation
	dirs := strings.Split(file, "/")
	for shared := range dirs { // folders that both lie in
		for skip := 0; skip <= skippedFolders && shared+skip < len(dirs); skip++ {
			rest := strings.TrimSuffix(strings.Join(dirs[shared+skip:], "/"), ext)
			for _, to := range compiledTo[ext] {
				out = append(out, compilation{strings.Join(dirs[:shared], "/"), rest + to})
			}
		}
	}
	return out
}

// is reports whether a file is that compilation.
func (c compilation) is(file string) bool {
	in := file
	if c.shared != "" {
		var below bool
		if in, below = strings.CutPrefix(file, c.shared+"/"); !below {
			return false
		}
	}
	folders, ok := strings.CutSuffix(in, "/"+c.rest)
	return ok && strings.Count(folders, "/") < outFolders
}

// CompiledOf reports whether one of some built files was made of a source file as it is
// now: written says when that was. One that is older was made of something else.
func CompiledOf(built []Artifact, file string, written time.Time) bool {
	all := compilations(file)
	return slices.ContainsFunc(built, func(a Artifact) bool {
		return !a.OlderThan(written) && slices.ContainsFunc(all, func(c compilation) bool { return c.is(a.Path) })
	})
}
