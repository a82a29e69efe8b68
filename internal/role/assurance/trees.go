package assurance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/lineage"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
	"github.com/org/qa-action/internal/wording"
)

// Tree is a private copy whose files can be changed, and compared before and after a
// run.
type Tree interface {
	executor.Tree
	Write(name string, data []byte) error
	Remove(name string) error
	Digest(ctx context.Context) (runtime.Digest, error)
}

// Trees are head and base, and what becomes of their files while candidates are
// tried.
type Trees struct {
	Head, Base Tree // Base is nil when there is none
	// Read gives a file of head as it was before any test was generated.
	Read func(path string) ([]byte, error)
	// Former is a file as a commit has it, for what failed there in an earlier run.
	Former func(ctx context.Context, commit, path string) ([]byte, error)
	// Beside are other test files of the suite, whose tests pass.
	Beside []string

	added    map[string][]byte // test files with the accepted tests in them
	accepted []qa.Case         // of these tests
	bases    map[string][]byte // files of base as the commit has them
	placed   map[string][]byte // the file with the candidate that is tried
	digest   runtime.Digest    // of head before the first candidate
}

// maxFile bounds one file of the base tree that is read.
const maxFile = 4 << 20

// original is a test file as it was before this run, nil when there was none.
func (t *Trees) original(name string) ([]byte, error) {
	raw, err := t.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// current is a test file with what was accepted so far.
func (t *Trees) current(name string) ([]byte, error) {
	if raw, ok := t.added[name]; ok {
		return raw, nil
	}
	return t.original(name)
}

// before is a file of the base tree as the commit has it, nil when it has none.
func (t *Trees) before(name string) ([]byte, error) {
	if raw, ok := t.bases[name]; ok {
		return raw, nil
	}
	raw, err := rooted.ReadIn(t.Base.Dir(), name, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read base: %w", err)
	}
	t.bases[name] = raw
	return raw, nil
}

// restore puts a test file back: in the head tree to what was accepted, in the
// base tree to what the commit has.
func (t *Trees) restore(name string) error {
	delete(t.placed, name)
	raw, err := t.current(name)
	if err != nil {
		return err
	}
	if err := put(t.Head, name, raw); err != nil {
		return err
	}
	if raw, ok := t.bases[name]; ok && t.Base != nil {
		return put(t.Base, name, raw)
	}
	return nil
}

// put writes a file, or takes it away when raw is nil.
func put(tree Tree, name string, raw []byte) error {
	var err error
	if raw != nil {
		err = tree.Write(name, raw)
	} else if err = tree.Remove(name); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", name, err)
	}
	return nil
}

// Try puts a mutant into the head tree, does something, and takes it out again.
func (t *Trees) Try(ctx context.Context, m mutant.Mutant, do func() error) error {
	src, err := t.standing(m.Path)
	if err != nil {
		return fmt.Errorf("try mutant: %w", err)
	}
	if original, err := t.Read(m.Path); err != nil || !fits(m, original, src) {
		return fmt.Errorf("try mutant: %s is not as it was when the mutant was made", m.Path)
	}
	if err := t.Head.Write(m.Path, mutant.Apply(src, m)); err != nil {
		return fmt.Errorf("try mutant: %w", err)
	}
	err = do()
	if back := t.Head.Write(m.Path, src); back != nil {
		return fmt.Errorf("take mutant out: %w", back)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// standing is a file as the head tree has it: of a source file that tests were placed
// in, with them.
func (t *Trees) standing(name string) ([]byte, error) {
	if raw, ok := t.placed[name]; ok {
		return raw, nil
	}
	return t.current(name)
}

// fits reports that a mutant of the original text is the same one of a text in which
// tests were placed: they come after it.
func fits(m mutant.Mutant, original, text []byte) bool {
	return m.EndByte <= min(len(original), len(text)) && bytes.Equal(original[:m.EndByte], text[:m.EndByte])
}

// rebuild places the kept tests anew, because dropped ones may stand between
// them, and writes the files.
func (c *Chain) rebuild(ctx context.Context, verdicts []Verdict) error {
	c.added = map[string][]byte{}
	for i := range verdicts {
		v := &verdicts[i]
		if !v.Kept {
			continue
		}
		now, err := c.current(v.Path)
		if err != nil {
			return err
		}
		placed, err := edit.Place(now, v.Path, v.Candidate.New())
		if err != nil {
			v.drop("G11", "cannot be placed beside the others: %v", err)
			continue
		}
		c.added[v.Path] = placed
	}
	for name, placed := range c.added {
		c.added[name] = c.styled(ctx, name, placed)
	}
	var errs []error
	for _, name := range each.Sorted(each.Of(verdicts, func(v Verdict) string { return v.Path })) {
		if writable(name) {
			errs = append(errs, c.restore(name))
		}
	}
	return errors.Join(errs...)
}

// writable is false for paths that are never written.
func writable(name string) bool { return filepath.IsLocal(name) && syntax.Supported(name) }

// tampered lists the files of the project that runs of a candidate made,
// changed or removed, and puts them back. Its own test file does not count,
// nor what test runners leave behind.
func (t *Trees) tampered(ctx context.Context, own string) ([]string, error) {
	now, err := t.Head.Digest(ctx)
	if err != nil {
		return nil, err
	}
	changed := slices.DeleteFunc(t.digest.Changed(now), func(name string) bool { return name == own || t.added[name] != nil || leftover(name) || t.built(name) })
	for _, name := range changed {
		raw, err := t.original(name)
		if _, was := t.digest[name]; !was || err != nil {
			raw = nil
		}
		if err := put(t.Head, name, raw); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// leftover is true for what runners and tools write while tests run.
func leftover(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return language.IsTrace(part) || slices.Contains(framework.Caches(), part)
	})
}

// built is true for what lies in a folder that every build makes anew.
func (t *Trees) built(name string) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		for _, l := range language.All() {
			if slices.Contains(l.Project.Stale, part) && slices.ContainsFunc(l.Project.Manifests, func(m string) bool {
				_, there := t.digest[path.Join(path.Join(parts[:i]...), m)]
				return there
			}) {
				return true
			}
		}
	}
	return false
}

// known reports whether the code before the change has the symbol under test; of a class or
// its constructor, whether it has the class.
func (c *Chain) known(v *Verdict) bool {
	if c.Base == nil || v.Target == "" || v.Candidate.Source == "" {
		return true
	}
	name := c.basePath(v.Candidate.Source)
	raw, err := c.before(name)
	if err != nil || raw == nil {
		return err != nil
	}
	parsed, err := outline.Parse(name, raw)
	if err != nil || parsed.Broken {
		return true
	}
	class := cmp.Or(lineage.Constructed(v.Target), v.Target)
	if _, there := parsed.Bases[class]; there || slices.ContainsFunc(parsed.Functions, func(f qa.Function) bool { return strings.HasPrefix(f.Name, class+".") }) {
		return true
	}
	same := func(f qa.Function) bool {
		return f.Name == v.Target || strings.HasSuffix(f.Name, "."+v.Target) || strings.HasSuffix(v.Target, "."+f.Name)
	}
	return slices.ContainsFunc(parsed.Functions, same)
}

// reaches reports that a test of a function which base lacks fails there for what comes out,
// and not for the function that is missing: it goes through others. A compiler has said so;
// elsewhere the test does not name it, and an assertion notices.
func reaches(v *Verdict, base outcome) bool {
	if language.Of(v.Candidate.Source).Tests.Compiled {
		return true
	}
	leaf := v.Target[strings.LastIndexByte(v.Target, '.')+1:]
	return !base.crashed() && !slices.Contains(wording.Names(v.Candidate.Code), leaf)
}
