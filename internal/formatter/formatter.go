// Package formatter writes a test file in the project's own style. Start at
// [Project.Format].
package formatter

import (
	"bytes"
	"context"
	"fmt"
	goformat "go/format"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/runtime"
)

// program is one that projects format their code with. It is used where
// the project has it installed and configured, reads the text of one file and
// writes it formatted: no file is touched.
type program struct {
	name    string
	exts    []string
	configs []string          // files that configure it
	inside  map[string]string // files that may hold its configuration, and how that begins
	bin     string            // below a directory of the project
	argv    func(bin, file string) []string
}

var (
	scripts  = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
	programs = []program{
		{"biome", scripts, []string{"biome.json", "biome.jsonc"}, nil, "node_modules/.bin/biome",
			func(bin, file string) []string { return []string{bin, "format", "--stdin-file-path=" + file} }},
		{"prettier", scripts,
			[]string{".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.json5", ".prettierrc.toml", ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts"},
			map[string]string{"package.json": `"prettier":`}, "node_modules/.bin/prettier",
			func(bin, file string) []string { return []string{bin, "--stdin-filepath", file} }},
		{"ruff", []string{".py"}, []string{"ruff.toml", ".ruff.toml"}, map[string]string{"pyproject.toml": "[tool.ruff"}, ".venv/bin/ruff",
			func(bin, file string) []string { return []string{bin, "format", "--stdin-filename", file, "-"} }},
		{"black", []string{".py"}, nil, map[string]string{"pyproject.toml": "[tool.black"}, ".venv/bin/black",
			func(bin, file string) []string { return []string{bin, "-q", "--stdin-filename", file, "-"} }},
	}
)

const timeout = 30 * time.Second

// Project is where a project says how it formats its code, and where its programs
// run.
type Project struct {
	// Read reads a file of the checkout by its path, slash separated.
	Read func(path string) ([]byte, error)
	// Copy is where the project's formatter runs.
	Copy *runtime.Workspace
}

// Format gives a test file in the project's own style. A project without a
// formatter gets the text as it is; so does one whose formatter fails, with the
// error.
func (p Project) Format(ctx context.Context, file string, text []byte) ([]byte, error) {
	if path.Ext(file) == ".go" {
		if out, err := goformat.Source(text); err == nil {
			return out, nil
		}
		return text, nil
	}
	for _, f := range programs {
		if !slices.Contains(f.exts, path.Ext(file)) || !p.configured(f, file) {
			continue
		}
		bin := p.installed(ctx, f, file)
		if bin == "" {
			continue
		}
		res, err := p.Copy.Run(ctx, runtime.Command{Argv: f.argv(bin, file), Stdin: bytes.NewReader(text), Timeout: timeout, Network: runtime.NetworkLoopback})
		if err == nil && res.ExitCode == 0 && len(res.Stdout) > 0 {
			return res.Stdout, nil
		}
		if err == nil {
			err = fmt.Errorf("exit code %d", res.ExitCode)
		}
		return text, fmt.Errorf("%s could not format %s: %w", f.name, file, err)
	}
	return text, nil
}

// installed is the project's own program, empty when it has none: nearest to
// the file, or in the virtual environment made for the copy.
func (p Project) installed(ctx context.Context, f program, file string) string {
	for _, dir := range upwards(file) {
		bin := path.Join(dir, f.bin)
		if info, err := os.Stat(filepath.Join(p.Copy.Dir(), filepath.FromSlash(bin))); err == nil && info.Mode().IsRegular() {
			return "./" + bin
		}
	}
	if strings.HasPrefix(f.bin, ".venv/") && p.Copy.Activated() {
		if bin, err := p.Copy.LookPath(ctx, path.Base(f.bin)); err == nil {
			return bin
		}
	}
	return ""
}

// configured reports whether the project says that it formats with f, in the
// checkout and at or above the file.
func (p Project) configured(f program, file string) bool {
	for _, dir := range upwards(file) {
		for _, name := range f.configs {
			if _, err := p.Read(path.Join(dir, name)); err == nil {
				return true
			}
		}
		for name, begin := range f.inside {
			if text, err := p.Read(path.Join(dir, name)); err == nil && strings.Contains(string(text), begin) {
				return true
			}
		}
	}
	return false
}

// upwards lists the directories that hold a file, the nearest first.
func upwards(file string) []string {
	var out []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		out = append(out, dir)
		if dir == "." || dir == "/" {
			return out
		}
	}
}
