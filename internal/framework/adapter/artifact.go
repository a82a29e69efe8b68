package adapter

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
	if rel, in := BelowRoot(root, at); in {
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
