package sink

import (
	"crypto/sha256"
	"fmt"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
)

// Links builds addresses on the code host. A part that is missing gives no
// link, never a broken one.
type Links struct {
	Server     string // "https://github.com"
	Repository string // "owner/name"
	SHA        string // head commit
	Number     int    // pull request, 0 when there is none
	Run        string // address of the workflow run that holds the artifacts
}

// linkLimit is the longest address in bytes: hundreds of links to deep paths
// would take the room of what they are about.
const linkLimit = 1000

// Blob is the address of lines of a file at the head commit. A zero range is
// the whole file.
func (l Links) Blob(path string, lines qa.Range) string {
	if l.Server == "" || l.Repository == "" || l.SHA == "" || path == "" {
		return ""
	}
	u := l.Server + "/" + l.Repository + "/blob/" + l.SHA + "/" + escape.Path(path)
	if len(u) > linkLimit {
		return ""
	}
	return u + at("#L", "-L", lines)
}

// at is the end of an address that leads to lines, empty for a zero range.
func at(first, last string, lines qa.Range) string {
	switch {
	case lines.Start <= 0:
		return ""
	case lines.End <= lines.Start:
		return fmt.Sprint(first, lines.Start)
	}
	return fmt.Sprintf("%s%d%s%d", first, lines.Start, last, lines.End)
}

// Diff is the address of head lines inside the pull request's diff; without a
// pull request it is [Links.Blob]. The anchor is the SHA-256 of the path
// followed by R (right side) and the line, as the "Files changed" page uses.
func (l Links) Diff(path string, lines qa.Range) string {
	if l.Number == 0 || l.Server == "" || l.Repository == "" || path == "" {
		return l.Blob(path, lines)
	}
	u := fmt.Sprintf("%s/%s/pull/%d/files#diff-%x", l.Server, l.Repository, l.Number, sha256.Sum256([]byte(path)))
	return u + at("R", "-R", lines)
}

// Line prefers the pull request's diff for lines that the change wrote and the
// file at the head commit for all others.
func (l Links) Line(c qa.Change, file string, lines qa.Range) string {
	if f, ok := c.File(file); ok && f.Status != qa.Deleted && (lines.Start <= 0 || f.Touches(lines)) {
		return l.Diff(file, lines)
	}
	return l.Blob(file, lines)
}

// Commit is the address of a commit.
func (l Links) Commit(sha string) string {
	if l.Server == "" || l.Repository == "" || !escape.IsHex(sha) {
		return ""
	}
	return l.Server + "/" + l.Repository + "/commit/" + sha
}
