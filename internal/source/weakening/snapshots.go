package weakening

import (
	"bytes"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// snapshots says that expectations which were there were recorded anew beside a change
// of the product: what the code does now became what is expected of it.
func (c *comparison) snapshots(r qa.Revision) []qa.Weakening {
	if !c.touched || !language.Recorded(r.Path) || r.Before == nil || r.After == nil || bytes.Equal(r.Before, r.After) {
		return nil
	}
	now := map[string]bool{}
	for line := range strings.Lines(string(r.After)) {
		now[strings.TrimSpace(line)] = true
	}
	was := ""
	for line := range strings.Lines(string(r.Before)) {
		line = strings.TrimSpace(line)
		key, _, entry := strings.Cut(line, "] = ")
		if entry && !strings.Contains(string(r.After), key+"] = ") {
			continue // of a test that has another name now, or is gone
		}
		if line != "" && !now[line] && !strings.HasPrefix(line, "//") {
			was = line
			break
		}
	}
	if was == "" {
		return nil // only more was recorded
	}
	first := 1
	had := map[string]bool{}
	for line := range strings.Lines(string(r.Before)) {
		had[strings.TrimSpace(line)] = true
	}
	n := 0
	for line := range strings.Lines(string(r.After)) {
		if n++; !had[strings.TrimSpace(line)] {
			first = n
			break
		}
	}
	return []qa.Weakening{{Rule: rerecorded, Path: r.Path, Lines: qa.Range{Start: first, End: first}, Before: shown(was)}}
}
