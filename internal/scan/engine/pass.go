package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/wording"
)

// Pass is all that an engine may see of a run.
type Pass struct {
	AbsRoot string // where programs see the files
	// Files are those of the engine's languages that the change touched.
	Files []*File
	// Base says that the files hold their content of the base commit.
	Base bool

	Overlay string // for the go command: base's files over those of head

	Subject Subject
	Hands   Hands
	Tree    *Tree
	program string  // the engine's, when it was found
	whole   []*File // where Files are a part of them
}

// MissingError is returned when a program is not installed.
type MissingError struct {
	tool, hint string
	ours       bool
}

// Ours is true of a program that nobody configured and that would see more.
func (e MissingError) Ours() bool { return e.ours }

func (e MissingError) Error() string {
	return fmt.Sprintf("%s is not installed; install it with: %s", e.tool, e.hint)
}

// SkipError is returned by an engine that does not apply; its text is the reason.
type SkipError string

func (e SkipError) Error() string { return string(e) }

// Tool finds one of our own programs: on PATH first (there it is pinned), then
// among the programs the repository installed.
func (p *Pass) Tool(name string) (string, error) {
	hint := "your package manager"
	if i := slices.IndexFunc(Tools(), func(t Tool) bool { return t.Name == name }); i >= 0 {
		hint = Tools()[i].Install
	}
	return p.find(MissingError{name, hint, true}, p.onPath, p.installed)
}

// OwnTool finds a program that the repository is configured for: the one it
// installed itself has the right version, then PATH.
func (p *Pass) OwnTool(name, hint string) (string, error) {
	p.Runs() // what it is told to do is the repository's
	return p.find(MissingError{name, hint, false}, p.installed, p.onPath)
}

// Runs notes that the pass runs what the repository chose.
func (p *Pass) Runs() { p.Tree.foreign.Store(true) }

// find takes the engine's program from the first place that has it.
func (p *Pass) find(missing MissingError, places ...func(name string) string) (string, error) {
	for _, place := range places {
		if p.program = place(missing.tool); p.program != "" {
			return p.program, nil
		}
	}
	return "", missing
}

func (p *Pass) onPath(name string) string {
	abs, err := p.Hands.ToolPath(name)
	if err != nil {
		return ""
	}
	return abs
}

// installed looks into node_modules and virtual environments at the root and
// beside the files.
func (p *Pass) installed(name string) string {
	for _, dir := range p.Dirs() {
		for _, bin := range p.Tree.bins(filepath.Join(p.Subject.ExecRoot, filepath.FromSlash(dir))) {
			abs := filepath.Join(bin, name)
			if st, err := os.Stat(abs); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
				p.Runs()
				return abs
			}
		}
	}
	return ""
}

// bins are the directories of programs that are installed for a folder: every engine
// whose program is not on PATH asks for them, at each folder of the change.
func (t *Tree) bins(folder string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	found, known := t.binDirs[folder]
	if !known {
		for _, bin := range []string{"node_modules/.bin", ".venv/bin", "venv/bin"} {
			abs := filepath.Join(folder, filepath.FromSlash(bin))
			if _, err := os.Stat(abs); err == nil {
				found = append(found, abs)
			}
		}
		if t.binDirs == nil {
			t.binDirs = map[string][]string{}
		}
		t.binDirs[folder] = found
	}
	return found
}

// Dirs lists the directories above the files, the root first.
func (p *Pass) Dirs() []string {
	seen := map[string]bool{}
	files := p.Files
	if p.whole != nil {
		files = p.whole
	}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && dir != "/" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	out := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
	})
	return append([]string{"."}, out...)
}

// Configured gives the first of the named files that exists at the root or
// beside a file, with the directory it lies in.
func (p *Pass) Configured(names ...string) (dir, name string, ok bool) {
	reader := rooted.NewReader(p.Tree.Root)
	defer reader.Close()
	for _, d := range p.Dirs() {
		for _, n := range names {
			if reader.Holds(path.Join(d, n)) {
				return d, n, true
			}
		}
	}
	return "", "", false
}

// Says reports whether a file of that name, at the root or beside a file, has a text that
// matches.
func (p *Pass) Says(name string, match func(text []byte) bool) bool {
	reader := rooted.NewReader(p.Tree.Root)
	defer reader.Close()
	return slices.ContainsFunc(p.Dirs(), func(dir string) bool {
		file, _, err := reader.Open(path.Join(dir, name))
		if err != nil {
			return false
		}
		defer func() { _ = file.Close() }() // only read
		text, err := io.ReadAll(io.LimitReader(file, MaxFile))
		return err == nil && match(text)
	})
}

// Run runs a program in dir (relative to the root). A program killed at the
// time limit or one that could not start is an error; its exit code is not.
func (p *Pass) Run(ctx context.Context, dir string, env []string, argv ...string) (process.Result, error) {
	res, err := p.Hands.Exec(ctx, process.Command{
		Argv:      argv,
		Dir:       filepath.Join(p.AbsRoot, filepath.FromSlash(dir)),
		Env:       append(slices.Clone(p.Hands.Env), env...),
		MaxOutput: maxOutput,
	})
	name := filepath.Base(argv[0])
	switch {
	case errors.Is(err, process.ErrNotFound):
		return res, fmt.Errorf("run %s: %s cannot be started where programs run: it or its interpreter is missing or hidden there", name, argv[0])
	case ctx.Err() != nil:
		return res, ctx.Err()
	case err != nil:
		return res, fmt.Errorf("run %s: %w", name, err)
	case res.TimedOut:
		return res, context.DeadlineExceeded
	case res.Signal != "":
		return res, fmt.Errorf("run %s: killed by %s", name, res.Signal)
	case res.Truncated:
		return res, fmt.Errorf("run %s: its output is over %d MiB", name, maxOutput>>20)
	}
	return res, nil
}

// Version asks the engine's program for its version, for the manifest; one that
// does not answer has none.
func (p *Pass) Version(ctx context.Context, e Engine) string {
	if p.program == "" || len(e.Version) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return p.Subject.Memory.version(p.program, func() string {
		res, err := p.Run(ctx, ".", nil, append([]string{p.program}, e.Version...)...)
		if err != nil {
			return ""
		}
		return versionForm.FindString(string(res.Stdout) + string(res.Stderr))
	})
}

var versionForm = pattern.New(`\d+\.\d+(\.\d+)?[-.\w]*`)

// maxOutput is what is kept of a linter's output: a finding takes under 1 KiB,
// so more than this is not a report anyone reads.
const maxOutput = 64 << 20

// Call is how an engine has its program look at files.
type Call struct {
	Dir  string // relative to the root
	Argv []string
	// Newer are arguments that older versions refuse, each with what these say then.
	Newer []Newer
	Read  func(process.Result) ([]Hit, error)
}

// Newer is an argument that not every version of a program has.
type Newer struct{ Argument, Refused string }

// Over runs a program over those of the pass's files that lie in the call's directory,
// as many at once as a command line takes.
func (p *Pass) Over(ctx context.Context, c Call) ([]Hit, error) {
	var hits []Hit
	newer := slices.Clone(c.Newer)
	for _, files := range Chunks(Args(c.Dir, p.Files)) {
		run := func() (process.Result, error) {
			return p.Run(ctx, c.Dir, nil, slices.Concat(c.Argv, each.Of(newer, func(n Newer) string { return n.Argument }), files)...)
		}
		res, err := run()
		for err == nil && res.ExitCode != 0 {
			said := string(res.Stdout) + string(res.Stderr)
			before := len(newer)
			newer = slices.DeleteFunc(newer, func(n Newer) bool { return strings.Contains(said, n.Refused) })
			if len(newer) == before {
				break
			}
			res, err = run()
		}
		if err != nil {
			return hits, err
		}
		found, err := c.Read(res)
		hits = append(hits, rebase(c.Dir, found)...)
		if err != nil {
			return hits, err
		}
	}
	return hits, nil
}

// Args are the files below a directory as arguments that no program can mistake for a
// flag, relative to it.
func Args(dir string, files []*File) []string {
	var out []string
	for _, f := range files {
		if rel, ok := strings.CutPrefix("./"+f.Path, "./"+strings.TrimPrefix(dir+"/", "./")); ok {
			out = append(out, "./"+rel)
		}
	}
	return out
}

// Chunks splits arguments so that a command line stays well below the limit of
// the operating system.
func Chunks(args []string) [][]string {
	var out [][]string
	var cur []string
	size := 0
	for _, a := range args {
		if size += len(a) + 1; size > 100_000 && len(cur) > 0 {
			out, cur, size = append(out, cur), nil, len(a)+1
		}
		cur = append(cur, a)
	}
	if len(cur) > 0 {
		out = append(out, cur)
	}
	return out
}

// Garbled reports output that is not what the program promises.
func Garbled(tool string, res process.Result, err error) error {
	said := cmp.Or(wording.Cut(wording.First(string(res.Stderr)), 200), wording.Cut(wording.First(string(res.Stdout)), 200))
	if res.ExitCode != 0 && said != "" && len(bytes.TrimSpace(res.Stdout)) == 0 {
		return fmt.Errorf("it ended with exit code %d and without a report: %s", res.ExitCode, said)
	}
	return fmt.Errorf("read the report of %s (exit code %d, said %q): %w", tool, res.ExitCode, said, err)
}

// OrMissing is the reason why a report is not one.
func OrMissing(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it has no %s", what)
}

// Sentence starts a linter's message with a capital letter.
func Sentence(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "._()[]`'\"") || strings.ToLower(word) != word { // a name in code
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// rebase makes paths below dir relative to the root.
func rebase(dir string, hits []Hit) []Hit {
	for i := range hits {
		if !filepath.IsAbs(hits[i].Path) && !strings.HasPrefix(hits[i].Path, "file://") {
			hits[i].Path = path.Join(dir, hits[i].Path)
		}
	}
	return hits
}
