package reporter

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"

	"github.com/org/qa-action/internal/qa"
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
	u := l.Server + "/" + l.Repository + "/blob/" + l.SHA + "/" + escapePath(path)
	if len(u) > linkLimit {
		return ""
	}
	switch {
	case lines.Start <= 0:
		return u
	case lines.End <= lines.Start:
		return fmt.Sprintf("%s#L%d", u, lines.Start)
	}
	return fmt.Sprintf("%s#L%d-L%d", u, lines.Start, lines.End)
}

// Diff is the address of head lines inside the pull request's diff; without a
// pull request it is [Links.Blob]. The anchor is the SHA-256 of the path
// followed by R (right side) and the line, as the "Files changed" page uses.
func (l Links) Diff(path string, lines qa.Range) string {
	if l.Number == 0 || l.Server == "" || l.Repository == "" || path == "" {
		return l.Blob(path, lines)
	}
	u := fmt.Sprintf("%s/%s/pull/%d/files#diff-%x", l.Server, l.Repository, l.Number, sha256.Sum256([]byte(path)))
	switch {
	case lines.Start <= 0:
		return u
	case lines.End <= lines.Start:
		return fmt.Sprintf("%sR%d", u, lines.Start)
	}
	return fmt.Sprintf("%sR%d-R%d", u, lines.Start, lines.End)
}

// Commit is the address of a commit.
func (l Links) Commit(sha string) string {
	if l.Server == "" || l.Repository == "" || !isHex(sha) {
		return ""
	}
	return l.Server + "/" + l.Repository + "/commit/" + sha
}

// escapePath keeps the slashes of a path and escapes the rest, round brackets
// included: a Markdown link would end at one.
func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = brackets.Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}

var brackets = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "*", "%2A", "!", "%21")

func isHex(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
