package mode

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

// formatter is a program that projects format their code with. It is used where
// the project has it installed and configured, reads the text of one file and
// writes it formatted: no file is touched.
type formatter struct {
	name    string
	exts    []string
	configs []string          // files that configure it
	inside  map[string]string // files that may hold its configuration, and how that begins
	bin     string            // below a directory of the project
	argv    func(bin, file string) []string
}

var (
	scripts    = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}
	formatters = []formatter{
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

const formatTime = 30 * time.Second

// format gives a test file in the project's own style. A project without a
// formatter, or whose formatter fails, gets the text as it is.
func (r *run) format(ctx context.Context, ws *runtime.Workspace, file string, text []byte) []byte {
	if path.Ext(file) == ".go" {
		if out, err := goformat.Source(text); err == nil {
			return out
		}
		return text
	}
	for _, f := range formatters {
		if !slices.Contains(f.exts, path.Ext(file)) || !r.configured(f, file) {
			continue
		}
		bin := installed(ctx, ws, f, file)
		if bin == "" {
			continue
		}
		res, err := ws.Run(ctx, runtime.Command{Argv: f.argv(bin, file), Stdin: bytes.NewReader(text), Timeout: formatTime, Network: runtime.NetworkLoopback})
		if err == nil && res.ExitCode == 0 && len(res.Stdout) > 0 {
			return res.Stdout
		}
		r.warn("%s could not format %s: %s", f.name, file, formatError(err, res.ExitCode))
		return text
	}
	return text
}

// installed is the project's own program, empty when it has none: nearest to
// the file, or in the virtual environment made for the copy.
func installed(ctx context.Context, ws *runtime.Workspace, f formatter, file string) string {
	for _, dir := range upwards(file) {
		bin := path.Join(dir, f.bin)
		if info, err := os.Stat(filepath.Join(ws.Dir(), filepath.FromSlash(bin))); err == nil && info.Mode().IsRegular() {
			return "./" + bin
		}
	}
	if strings.HasPrefix(f.bin, ".venv/") && ws.Activated() {
		if bin, err := ws.LookPath(ctx, path.Base(f.bin)); err == nil {
			return bin
		}
	}
	return ""
}

func formatError(err error, code int) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("exit code %d", code)
}

// configured reports whether the project says that it formats with f, in the
// checkout and at or above the file.
func (r *run) configured(f formatter, file string) bool {
	for _, dir := range upwards(file) {
		for _, name := range f.configs {
			if _, err := r.read(path.Join(dir, name)); err == nil {
				return true
			}
		}
		for name, begin := range f.inside {
			if text, err := r.read(path.Join(dir, name)); err == nil && strings.Contains(string(text), begin) {
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
