package contract

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Remark is a comment at lines of the pull request's diff.
type Remark struct {
	ID     int64
	Author string
	Bot    bool
	Body   string
	Path   string
	// Start is 0 where it is of one line; Line is 0 where a later push changed it.
	Start, Line int
	ReplyTo     int64
	// Association of the author, and when it was written; empty is nobody, long ago.
	Association, At string
}

// reviews answers what concerns comments at lines.
func (c *call) reviews() {
	s := c.server
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}") {
	case "GET /pulls/{pull_number}/comments":
		list := []map[string]any{}
		for _, r := range s.Remarks {
			list = append(list, r.json())
		}
		c.send(http.StatusOK, page(c, list))
	case "POST /pulls/{pull_number}/reviews":
		c.review()
	case "PATCH /pulls/comments/{comment_id}", "DELETE /pulls/comments/{comment_id}":
		i := slices.IndexFunc(s.Remarks, func(r Remark) bool { return fmt.Sprint(r.ID) == c.params["comment_id"] })
		switch {
		case i < 0:
			c.refuse(http.StatusNotFound, "Not Found")
		case c.req.Method == http.MethodDelete:
			s.Remarks = slices.Delete(s.Remarks, i, i+1)
			c.send(http.StatusNoContent, nil)
		default:
			s.Remarks[i].Body = c.text("body")
			c.send(http.StatusOK, s.Remarks[i].json())
		}
	}
}

// review stores all comments of a review, or none where one of them is at no line
// of the diff.
func (c *call) review() {
	s := c.server
	if s.OnCreate != nil {
		s.OnCreate(s)
	}
	var made []Remark
	list, _ := c.body["comments"].([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		number := func(key string) int { n, _ := m[key].(float64); return int(n) }
		text := func(key string) string { t, _ := m[key].(string); return t }
		r := Remark{ID: s.ID(), Author: s.author(), Bot: s.User == "", Body: text("body"), Path: text("path"), Start: number("start_line"), Line: number("line")}
		hunk := s.hunk(r.Path, r.Line)
		switch {
		case len(r.Body) > maxComment:
			c.refuse(http.StatusUnprocessableEntity, "Body is too long (maximum is 65536 characters)")
			return
		case text("side") != "RIGHT" || r.Start != 0 && text("start_side") != "RIGHT", hunk == 0 || c.text("commit_id") != s.Head:
			c.refuse(http.StatusUnprocessableEntity, "Pull request review thread line must be part of the diff")
			return
		case r.Start != 0 && (r.Start >= r.Line || s.hunk(r.Path, r.Start) != hunk):
			c.refuse(http.StatusUnprocessableEntity, "Pull request review thread start line must be part of the same hunk as the line.")
			return
		}
		made = append(made, r)
	}
	if len(made) == 0 && c.text("body") == "" {
		c.refuse(http.StatusUnprocessableEntity, "Review comments is invalid")
		return
	}
	s.Remarks = append(s.Remarks, made...)
	s.Reviews++
	c.send(http.StatusOK, map[string]any{"id": s.ID(), "body": c.text("body"), "state": "COMMENTED"})
}

// hunk is where the part of a file's diff begins that shows a line of the head, 0
// where none does.
func (s *Server) hunk(path string, line int) int64 {
	if s.Patches[path] == "" || line < 1 {
		return 0
	}
	files, _, err := gitdiff.Parse(strings.NewReader("--- a/f\n+++ b/f\n" + s.Patches[path] + "\n"))
	if err != nil || len(files) != 1 {
		s.t.Errorf("contract: the patch of %s: %v", path, err)
		return 0
	}
	for _, f := range files[0].TextFragments {
		if int64(line) >= f.NewPosition && int64(line) < f.NewPosition+f.NewLines {
			return f.NewPosition
		}
	}
	return 0
}

// patched are the files of the pull request whose patches a test gives.
func (s *Server) patched() []map[string]any {
	var out []map[string]any
	for _, path := range slices.Sorted(maps.Keys(s.Patches)) {
		file := map[string]any{"filename": path, "status": "modified", "sha": s.Head}
		if patch := s.Patches[path]; patch != "" {
			file["patch"] = patch
		}
		out = append(out, file)
	}
	return out
}

func (r Remark) json() map[string]any {
	kind := "User"
	if r.Bot {
		kind = "Bot"
	}
	out := map[string]any{"id": r.ID, "body": r.Body, "path": r.Path, "side": "RIGHT", "user": map[string]any{"login": r.Author, "type": kind}}
	if r.Line != 0 {
		out["line"] = r.Line
	}
	if r.Start != 0 {
		out["start_line"] = r.Start
	}
	if r.Association != "" {
		out["author_association"], out["created_at"] = r.Association, r.At
	}
	if r.ReplyTo != 0 {
		out["in_reply_to_id"] = r.ReplyTo
	}
	return out
}
