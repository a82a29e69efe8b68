package checkout

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// Bounds of what a change says about itself.
const (
	saidMost    = 6000 // characters of all of it
	messageMost = 1500 // characters of one commit message
	testsMost   = 4000 // characters of the lines that the change wrote into tests
	docsMost    = 1000 // characters of what it did to documentation
)

// changelog names files, and folders of files, in which a project announces what
// its changes mean to users.
var changelog = pattern.New(`(?i)(^|/)(change-?log|changes|history|news|release[-_]?notes|releases)([-_.][\w.-]*)?$|(^|/)(\.changeset|\.changes|changelogs?(\.d)?|newsfragments|towncrier|changes\.d)/[^/]+$`)

// Said is all that a change says about itself, hostile as it is: title and body of
// the pull request, messages of its commits, what it wrote into the changelog, and what
// it did to other documentation. On the command line there is no pull request.
func (c Checkout) Said(ctx context.Context) string {
	parts := []string{strings.TrimSpace(c.Change.Title + "\n" + c.Change.Body)}
	if c.Messages != nil {
		for _, m := range c.Messages(ctx) {
			if m = strings.TrimSpace(m); !said(parts, wording.Bytes(m, messageMost)) {
				parts = append(parts, "Commit: "+wording.Sentences(m, messageMost))
			}
		}
	}
	for _, f := range c.Change.Files {
		if f.Kind == qa.KindDocs && changelog.MatchString(f.Path) {
			if text := wording.Sentences(strings.TrimSpace(c.written(f)), messageMost); text != "" {
				parts = append(parts, path.Base(f.Path)+": "+text)
			}
		}
	}
	if text := c.documented(ctx); text != "" {
		parts = append(parts, text)
	}
	return wording.Sentences(strings.TrimSpace(strings.Join(parts, "\n")), saidMost)
}

// documented is what the change did to documentation, by file: what it took away, and
// what it wrote, each with the sign that lines of code have.
func (c Checkout) documented(ctx context.Context) string {
	var b strings.Builder
	for _, f := range c.Change.Files {
		if f.Kind != qa.KindDocs || f.Status == qa.Deleted || f.Generated || f.Binary || changelog.MatchString(f.Path) || b.Len() >= docsMost {
			continue
		}
		var lines []string
		for _, line := range c.gone(ctx, f) {
			lines = append(lines, "- "+line)
		}
		if text := strings.TrimRight(c.written(f), "\n"); strings.TrimSpace(text) != "" {
			for line := range strings.SplitSeq(text, "\n") {
				lines = append(lines, strings.TrimRight("+ "+line, " "))
			}
		}
		if len(lines) > 0 {
			b.WriteString(f.Path + ":\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	return wording.Sentences(strings.TrimSpace(b.String()), docsMost)
}

// said reports that every line of a message stands in what was said before.
func said(parts []string, message string) bool {
	all := wording.Fold(strings.Join(parts, "\n"))
	for line := range strings.Lines(message) {
		if !strings.Contains(all, wording.Fold(line)) {
			return false
		}
	}
	return true
}

// Words are what a change says of itself: hostile.
type Words struct{ Said, Tested, Untested string }

// Words are those of the change: its description, and what it did to tests.
func (c Checkout) Words(ctx context.Context) Words {
	return Words{c.Said(ctx), c.Tested(), c.Untested(ctx)}
}

// Tested are the lines that the change wrote into test files, by file: what it
// asserts itself is what it intends.
func (c Checkout) Tested() string {
	var b strings.Builder
	for _, f := range c.Change.Of(qa.KindTest) {
		if text := strings.TrimRight(c.written(f), "\n"); text != "" && b.Len() < testsMost {
			b.WriteString(f.Path + ":\n" + text + "\n")
		}
	}
	return wording.Excerpt(strings.TrimRight(b.String(), "\n"), testsMost)
}

// Untested are the lines that the change took out of test files, by file: what was
// asserted, and is not any more, may be what it broke. What only loads others, and lines
// that stand elsewhere in the file, tell nothing.
func (c Checkout) Untested(ctx context.Context) string {
	var b strings.Builder
	for _, f := range c.Change.Files {
		if f.Kind != qa.KindTest || f.Generated || f.Binary || b.Len() >= testsMost/2 {
			continue
		}
		if gone := slices.DeleteFunc(c.gone(ctx, f), func(line string) bool { return loading.MatchString(strings.TrimSpace(line)) }); len(gone) > 0 {
			b.WriteString(f.BasePath() + ":\n" + strings.Join(gone, "\n") + "\n")
		}
	}
	return wording.Excerpt(strings.TrimRight(b.String(), "\n"), testsMost/2)
}

// gone are the lines of a file on base that tell something and stand nowhere in it now.
func (c Checkout) gone(ctx context.Context, f qa.FileChange) (out []string) {
	left := map[string]int{}
	for line := range strings.Lines(string(c.Text(f.Path))) {
		left[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(string(c.Before(ctx, f))) {
		bare := strings.TrimSpace(line)
		if left[bare]--; left[bare] < 0 && telling.MatchString(bare) {
			out = append(out, strings.TrimRight(line, "\r\n"))
		}
	}
	return out
}

var (
	telling = pattern.New(`\w.*\W.*\w`)
	loading = pattern.New(`^(import|from|use|package)\b|\brequire\(|^(#|//|/?\*|"""|'use strict')`)
)

// written are the lines that the change wrote in a file.
func (c Checkout) written(f qa.FileChange) string {
	if f.Binary || f.Status == qa.Deleted {
		return ""
	}
	lines := strings.Split(string(c.Text(f.Path)), "\n")
	var out []string
	for _, r := range f.Added {
		for n := max(r.Start, 1); n <= min(r.End, len(lines)); n++ {
			out = append(out, lines[n-1])
		}
	}
	return strings.Join(out, "\n")
}
