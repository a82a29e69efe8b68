package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// loading finds what the programs and the configuration of a check load.
type loading struct {
	changed map[string]qa.FileChange // that may be loaded
	names   []string                 // of configuration
	dir     string                   // of the check

	checkout checkout.Checkout
	looks    int // at files that the change leaves alone
}

var (
	// pathWord is a word of a program or of configuration that may name a file.
	pathWord = pattern.New(`[\w@.-]*[./][\w@./-]*\w`)
	imported = pattern.New(`(?m)^[ \t]*(?:from|import)[ \t]+(\.*[\w.]+)`)
	// product are folders whose programs are what is made, and what is looked at.
	product = []string{"", "src", "lib", "app", "pkg", "source", "packages", "cmd", "internal"}
)

// What bounds looking for what is loaded: files that are read, and looks at files. A program
// that names more than that in its texts is a bundle, and no change of a part of it.
const (
	most      = 64
	mostLooks = 20_000
)

// endings are those that a name of a file may lack, and the files that a folder stands for.
var endings = []string{"", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".sh", ".json", ".rb", "/index.js", "/index.ts", "/__init__.py", "/__main__.py"}

// names reports whether a command or a text that names a file may mean this one.
func names(name, file string) bool {
	rest, begins := strings.CutPrefix(file, name)
	return begins && slices.Contains(endings, rest)
}

// all are the changed files that are loaded: by programs those in folders of their own, for
// elsewhere is what they look at, by configuration any.
func (l *loading) all(started []string) []qa.FileChange {
	var out []qa.FileChange
	if len(l.changed) == 0 {
		return nil
	}
	queue, within := slices.Clone(l.names), map[string]string{}
	for _, name := range started {
		if file := l.file(name); file != "" && !slices.Contains(product, folder.FromDot(path.Dir(file))) {
			queue, within[file] = append(queue, file), path.Dir(file)
		}
	}
	for i := 0; i < len(queue) && i < most; i++ {
		at := queue[i]
		for _, name := range l.named(at, l.checkout.Text(at)) {
			if within[at] != "" && !folder.Within(name, within[at]) {
				continue
			}
			file := l.file(name)
			if file == "" || slices.Contains(queue, file) {
				continue
			}
			queue, within[file] = append(queue, file), within[at]
			if f, ok := l.changed[file]; ok && f.Kind != qa.KindTest {
				out = append(out, f)
			}
		}
	}
	return out
}

// named are the paths that a text may name, from its own folder or from that of the check.
func (l *loading) named(at string, text []byte) []string {
	var out []string
	for _, w := range pathWord.FindAllString(string(text), -1) {
		out = append(out, path.Join(path.Dir(at), w), path.Join(l.dir, w))
	}
	for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
		out = append(out, path.Join(path.Dir(at), strings.ReplaceAll(strings.TrimLeft(m[1], "."), ".", "/")))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// file is the file that a name means: one of the change, else one that is there.
func (l *loading) file(name string) string {
	for _, ending := range endings {
		if _, ok := l.changed[name+ending]; ok {
			return name + ending
		}
	}
	for _, ending := range endings {
		if l.looks++; l.looks > mostLooks {
			break
		}
		if info, err := l.checkout.Stat(name + ending); err == nil && info.Mode().IsRegular() {
			return name + ending
		}
	}
	return ""
}
