// Package formatter holds a test file to what the project's own tools ask of it: the
// formatter's style and the type checker's types. Start at [Project.Format] and
// [Project.Types].
package formatter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	goformat "go/format"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

const timeout = 30 * time.Second

// Project is where a project says how its code is to look, and where its programs run.
type Project struct {
	// Read reads a file of the checkout by its path, slash separated.
	Read func(path string) ([]byte, error)
	// Copy is where the project's formatter runs.
	Copy *runtime.Workspace
}

// Format gives a test file in the project's own style, with what its linter can mend by
// itself. A project without a formatter gets the text as it is; so does one whose
// formatter fails, with the error, and one whose own file is not in that style: its
// author's lines are not this run's to change.
func (p Project) Format(ctx context.Context, file string, text []byte) ([]byte, error) {
	own, _ := p.Read(file) // none is a new file
	if path.Ext(file) == ".go" {
		same, failed := goformat.Source(own)
		out, err := goformat.Source(text)
		if failed != nil || err != nil || !bytes.Equal(same, own) {
			return text, nil
		}
		return out, nil
	}
	for _, f := range language.Of(file).Formatters {
		bin := ""
		if p.configured(f, file) {
			bin = p.installed(ctx, f.Program, file)
		}
		if bin == "" {
			continue
		}
		out, err := p.pass(ctx, bin, f, file, text)
		if err == nil && len(own) > 0 && !bytes.Equal(out, text) {
			if same, failed := p.pass(ctx, bin, f, file, own); failed != nil || !bytes.Equal(same, own) {
				out, err = text, failed
			}
		}
		switch {
		case f.Mended == nil && err != nil:
			return text, fmt.Errorf("%s could not format %s: %w", f.Name, file, err)
		case f.Mended == nil:
			return out, nil
		case err == nil: // else the chain asks for what it objects to
			text = out
		}
	}
	return text, nil
}

// pass gives what the program makes of the text.
func (p Project) pass(ctx context.Context, bin string, f language.Formatter, file string, text []byte) ([]byte, error) {
	res, err := p.Copy.Run(ctx, runtime.Command{Argv: command(bin, f, file), Stdin: bytes.NewReader(text), Timeout: timeout, Network: runtime.NetworkLoopback})
	switch {
	case err != nil:
		return nil, err
	case res.Truncated:
		return nil, errors.New("it said more than is read")
	case f.Mended != nil: // it ends badly where something is left to object to
		if out := f.Mended(res.Stdout); len(out) > 0 {
			return out, nil
		}
		return text, nil
	case res.ExitCode != 0 || len(res.Stdout) == 0:
		return nil, fmt.Errorf("exit code %d", res.ExitCode)
	}
	return res.Stdout, nil
}

func command(bin string, f language.Formatter, file string) []string {
	argv := []string{bin}
	return append(argv, each.Of(f.Args, func(a string) string { return strings.ReplaceAll(a, "{file}", file) })...)
}

// installed is the project's own program, empty when it has none: nearest to
// the file, or in the virtual environment made for the copy.
func (p Project) installed(ctx context.Context, program, file string) string {
	for _, dir := range toolchain.Upwards(path.Dir(file)) {
		bin := path.Join(dir, program)
		if info, err := os.Stat(filepath.Join(p.Copy.Dir(), filepath.FromSlash(bin))); err == nil && info.Mode().IsRegular() {
			return "./" + bin
		}
	}
	if strings.HasPrefix(program, ".venv/") && p.Copy.Activated() {
		if bin, err := p.Copy.LookPath(ctx, path.Base(program)); err == nil {
			return bin
		}
	}
	return ""
}

// configured reports whether the project says that it formats with f, in the
// checkout and at or above the file.
func (p Project) configured(f language.Formatter, file string) bool {
	for _, dir := range toolchain.Upwards(path.Dir(file)) {
		for _, name := range f.Configs {
			if _, err := p.Read(path.Join(dir, name)); err == nil {
				return true
			}
		}
		for name, begin := range f.Inside {
			if text, err := p.Read(path.Join(dir, name)); err == nil && strings.Contains(string(text), begin) {
				return true
			}
		}
	}
	return false
}
