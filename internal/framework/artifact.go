package framework

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/rooted"
)

// Artifact is a file that a build made of sources and that a run loaded.
type Artifact struct {
	Path string `json:"path"` // relative to the root where it lies below it
	// Modified is when it was built, as far as its time tells; zero is not known.
	Modified time.Time `json:"modified"`
}

// machineCode are the extensions of what compilers make for an interpreter.
var machineCode = []string{".so", ".pyd", ".node", ".wasm", ".dylib", ".dll"}

// MachineCode reports whether a file holds machine code.
func MachineCode(file string) bool { return slices.Contains(machineCode, path.Ext(file)) }

// generatedCode are the extensions of text that generators write for a runner.
var generatedCode = []string{".py", ".js", ".cjs", ".mjs", ".ts", ".go", ".rb"}

// Generated reports whether a file that git ignores may be what a generator made
// of a source: code, and not of an environment.
func Generated(file string) bool {
	return MachineCode(file) || slices.Contains(generatedCode, path.Ext(file)) && !strings.Contains("/"+file, "/.")
}

// ArtifactAt looks at an artifact; file is absolute, or relative to root.
func ArtifactAt(root, file string) Artifact {
	at := filepath.FromSlash(file)
	if !filepath.IsAbs(at) {
		at = filepath.Join(root, at)
	}
	a := Artifact{Path: file}
	if rel, in := belowRoot(root, at); in {
		a.Path = rel
	}
	if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
		a.Modified = info.ModTime()
	}
	return a
}

// OlderThan reports whether an artifact was made before a source was written. Some
// tools keep whole seconds of time alone, and of one second nothing is known.
func (a Artifact) OlderThan(source time.Time) bool {
	if a.Modified.Nanosecond() == 0 {
		source = source.Truncate(time.Second)
	}
	return a.Modified.Before(source)
}

// compiledLanguages are those of which compilers make machine code.
var compiledLanguages = []string{"c", "cpp", "rust", "objectivec", "swift", "zig", "nim", "haskell", "go"}

// compiledFiles are sources of machine code that have no language of their own.
var compiledFiles = []string{".pyx", ".pxd", ".pxi", ".f", ".for", ".f90", ".f95", ".f03", ".s", ".S", ".asm", ".cu", ".cuh", ".d"}

// scriptLanguages run as they are written.
var scriptLanguages = []string{"python", "javascript", "typescript", "ruby", "php", "shell", "perl"}

// MadeOf reports whether an artifact may be built of a source in this language:
// machine code of whatever is compiled, generated text of what has its name
// (thing_pb2.py of thing.proto).
func (a Artifact) MadeOf(source, language string) bool {
	ext := path.Ext(source)
	switch {
	case a.Path == source:
		return false
	case MachineCode(a.Path):
		return slices.Contains(compiledLanguages, language) || slices.Contains(compiledFiles, ext)
	case ext == "" || slices.Contains(scriptLanguages, language):
		return false
	}
	stem := strings.TrimSuffix(path.Base(source), ext)
	rest, named := strings.CutPrefix(path.Base(a.Path), stem)
	return named && stem != "" && rest != "" && strings.ContainsAny(rest[:1], "._-")
}

// Remake is a command that builds an artifact of the sources; empty when none is
// known.
func (a Artifact) Remake(root string, d Detection) string {
	has := func(name string) bool {
		_, err := fs.Stat(rooted.FS(root), path.Join(fromEmpty(d.Dir), name))
		return err == nil
	}
	switch path.Ext(a.Path) {
	case ".so", ".pyd":
		if has("setup.py") || has("pyproject.toml") {
			return mendPython(root, d, "", "")
		}
	case ".node":
		if has("binding.gyp") {
			return inDir(d.Dir, "npx node-gyp rebuild")
		}
	}
	return ""
}

// distributionName is where Python and Rust projects say what they are called.
var distributionName = regexp.MustCompile(`(?m)^\s*(?:name\s*=\s*|.*\bname\s*=\s*)["']?([A-Za-z0-9][\w.-]*)["']?`)

// ownTops are the top-level names that a Python project may install: those of
// its packages, and its own for one that is all machine code.
func ownTops(root, dir string) map[string]bool {
	out := map[string]bool{}
	for name := range ownPython(root, dir) {
		out[name] = true
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return out
	}
	defer func() { _ = tree.Close() }()
	for _, file := range []string{"pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml"} {
		data, err := tree.ReadFile(filepath.FromSlash(path.Join(dir, file)))
		if err != nil || len(data) > maxConfig {
			continue
		}
		if m := distributionName.FindSubmatch(data); m != nil {
			out[strings.ReplaceAll(normal(string(m[1])), "-", "_")] = true
		}
	}
	return out
}

// ofProject reports whether a module belongs to one of some top-level names, or
// is the machine code beside it that a leading underscore marks.
func ofProject(tops map[string]bool, module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if tops[top] {
		return true
	}
	private, marked := strings.CutPrefix(top, "_")
	if !marked {
		return false
	}
	for name := range tops {
		if private == name || strings.HasPrefix(private, name+"_") {
			return true
		}
	}
	return false
}
