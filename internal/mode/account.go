package mode

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/account"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
)

// unneeded says on what evidence no test has to run: nothing changed, or an
// earlier whole run of exactly the base commit opened none of the files that
// changed. Files that were added, removed or renamed may be found by a test that
// lists a folder, and those that say what is installed are read by installers.
func (r *run) unneeded() string {
	if len(r.Change.Files) == 0 {
		return "nothing changed"
	}
	b := r.past.Baseline
	if b == nil || b.SHA == "" || b.SHA != r.Change.Base || !b.Whole || r.Change.All {
		return ""
	}
	for _, f := range r.Change.Files {
		_, opened := slices.BinarySearch(b.Opened, f.Path)
		if f.Status != qa.Modified || f.Submodule || opened || installs(f.Path) {
			return ""
		}
	}
	return fmt.Sprintf("no test opened what changed when the whole suite ran on base %.7s", b.SHA)
}

// installs reports whether installers or tool managers read a file before any test
// runs; what calls itself a lock counts as one.
func installs(file string) bool {
	name := path.Base(file)
	low := strings.ToLower(name)
	return language.Steers(name) || slices.Contains(installers, name) || strings.Contains(low, "lock") || strings.Contains(low, "requirements") ||
		strings.Contains(low, "constraints") || strings.Contains(file, "requirements/")
}

// installers are such files of no language in particular.
var installers = []string{"tox.ini", "noxfile.py", "Makefile", "justfile", "environment.yml", ".tool-versions"}

// noCode reports whether no file changed that is code of the product or of its
// tests. It decides nothing but what the run costs: the suite runs all the same.
func (r *run) noCode() bool {
	if slices.ContainsFunc(r.Config.FailOn, needsBase) {
		return false
	}
	return !slices.ContainsFunc(r.Change.Files, func(f qa.FileChange) bool { return f.Kind == qa.KindSource || f.Kind == qa.KindTest })
}

// needsBase reports whether an optional gate compares with base or coverage.
func needsBase(gate string) bool {
	return slices.Contains([]string{qa.GatePatch, qa.GateCoverageDrop, qa.GateRemovedTests, qa.GateSkippedTests, qa.GateMutation}, gate)
}

// account says of every changed file what the run saw of it.
func (r *run) account() []qa.FileAccount {
	return account.Of(r.Change, r.base.seen(), r.base.whole(), r.base.unneeded)
}

// seen is what the runs on head showed.
func (b *baseline) seen() []account.Seen {
	var out []account.Seen
	for _, run := range b.runs {
		h := run.Head
		s := account.Seen{Coverage: h.Coverage, Cases: run.Tests.Cases, Loaded: setOf(h.Seen.Loaded), Compiled: setOf(h.Seen.Compiled),
			// Engines of the scan run in the same copy, at the same time.
			Reads: account.Reads{Unknown: h.Seen.NoReads, Shared: true}}
		if h.Seen.NoReads == "" {
			s.Reads.Opened, s.Reads.Followed = setOf(h.Seen.Opened), setOf(h.Seen.Opened, h.Seen.Unopened)
		}
		out = append(out, s)
	}
	return out
}

func setOf(lists ...[]string) map[string]bool {
	out := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			out[name] = true
		}
	}
	return out
}

// whole reports whether every suite ran, as far as it can run here at all.
func (b *baseline) whole() bool {
	return len(b.rows) > 0 && !slices.ContainsFunc(b.rows, func(t qa.TargetRow) bool { return t.State == "inconclusive" })
}

// opened are all files that the suites opened, loaded or were built of; false
// when that is not known of every one of them.
func (b *baseline) opened() ([]string, bool) {
	if !b.whole() || b.unneeded != "" {
		return nil, false
	}
	all := map[string]bool{}
	for _, run := range b.runs {
		if run.Head.Seen.NoReads != "" || len(run.Head.Seen.Opened) == 0 || len(run.Head.Suite.Problems) > 0 {
			return nil, false
		}
		for _, list := range [][]string{run.Head.Seen.Opened, run.Head.Seen.Loaded, run.Head.Seen.Compiled} {
			for _, name := range list {
				all[name] = true
			}
		}
		if run.Head.Coverage != nil {
			for _, f := range run.Head.Coverage.Files {
				all[f.Path] = true
			}
		}
	}
	for name := range setOf(b.read) {
		all[name] = true
	}
	return sortedKeys(all), true
}

// notDone is what of the comparison with base was asked for and is missing, and
// which suites cannot run here.
func (b *baseline) notDone() []string {
	var out []string
	for _, run := range b.runs {
		if run.Hasty {
			out = append(out, strings.TrimPrefix(run.Target.Name+": tests that pass alone count as flaky; there was no time to run the whole suite again (raise timeout)", ".: "))
		}
		if run.BaseLost && run.Unavailable == "" {
			out = append(out, strings.TrimPrefix(run.Target.Name+": "+run.BaseReason, ".: "))
		}
	}
	out = append(out, b.unrun...)
	for _, row := range b.rows {
		if row.State == "unavailable" {
			out = append(out, strings.TrimPrefix(row.Name+": "+row.Reason, ".: "))
		}
	}
	return out
}

// renames takes tests that only have another name out of those removed and added.
func (r *run) renames(t *qa.Tests) {
	var before, after []qa.Case
	for _, b := range r.base.runs {
		if b.Base != nil {
			before, after = append(before, b.Base.Suite.Cases...), append(after, b.Tests.Cases...)
		}
	}
	kept := map[string][]string{}
	quality.Renames(t, before, after, func(head bool, file string) []string {
		key := fmt.Sprint(head, file)
		if lines, ok := kept[key]; ok {
			return lines
		}
		text := r.text(file)
		if !head {
			text = nil
			if f, ok := r.Change.File(file); ok && r.Content != nil { // another file is the same on both sides
				text, _ = r.Content(context.Background(), r.Change.Base, f.BasePath())
			}
		}
		if text != nil {
			kept[key] = strings.Split(string(text), "\n")
		}
		return kept[key]
	})
}
