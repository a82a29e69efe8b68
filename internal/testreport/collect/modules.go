package collect

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/rooted"
)

// GoFile finds a file of a package in the repository: by the module path of
// the root's go.mod, else by the longest end of the import path that is a
// folder with that file.
func (p *Places) GoFile(pkg, file string) (string, bool) {
	if p.Tree == nil {
		return "", false
	}
	if path.IsAbs(slashed(file)) {
		return p.Relative("", file)
	}
	if dir, ok := strings.CutPrefix(pkg, p.module()); ok && p.module() != "" && (dir == "" || dir[0] == '/') {
		if at := path.Join(strings.TrimPrefix(dir, "/"), file); p.exists(at) {
			return at, true
		}
	}
	for dir, ok := pkg, true; ok; _, dir, ok = strings.Cut(dir, "/") {
		if at := path.Join(dir, file); filepath.IsLocal(at) && p.exists(at) {
			return at, true
		}
	}
	return "", false
}

// module is the module path of the root's go.mod; empty without one.
func (p *Places) module() string {
	if p.goModule != nil {
		return *p.goModule
	}
	found := ""
	if f, _, err := rooted.Open(p.Tree, "go.mod"); err == nil { // a test may have left a pipe there
		defer f.Close()
		head, _ := io.ReadAll(io.LimitReader(f, HeadSize))
		for line := range strings.Lines(string(head)) {
			if rest, ok := strings.CutPrefix(line, "module "); ok {
				found = strings.Trim(strings.TrimSpace(rest), `"`)
				break
			}
		}
	}
	p.goModule = &found
	return found
}
