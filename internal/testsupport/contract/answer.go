package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	notAccessible = "Resource not accessible by integration"
	maxField      = 65_535 // bytes of a check run's summary and text
	maxComment    = 65_536
)

// refused answers what the real one does not do.
func (c *call) refused() bool {
	s := c.server
	if s.OnRequest != nil {
		s.OnRequest(s, c.req.Method+" "+c.req.URL.Path)
	}
	if len(s.Refusals) > 0 {
		r := s.Refusals[0]
		s.Refusals = s.Refusals[1:]
		for k, v := range r.Header {
			c.w.Header().Set(k, v)
		}
		c.refuse(r.Status, r.Message)
		return true
	}
	if got := c.req.Header.Get("Authorization"); got != "Bearer "+Token {
		c.refuse(http.StatusUnauthorized, "Bad credentials")
		return true
	}
	if s.ReadOnly && c.req.Method != http.MethodGet {
		c.refuse(http.StatusForbidden, notAccessible)
		return true
	}
	return false
}

// answer is GitHub's part: refusals first, as the real one has them.
func (c *call) answer() {
	s := c.server
	if c.refused() {
		return
	}
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}") {
	case "GET /user":
		if s.User == "" {
			c.refuse(http.StatusForbidden, notAccessible)
			return
		}
		c.send(http.StatusOK, map[string]any{"login": s.User, "type": "User", "user_view_type": "private"})
	case "GET /pulls/{pull_number}":
		if strings.Contains(c.req.Header.Get("Accept"), "diff") && s.ChangedFiles > 300 {
			c.refuse(http.StatusNotAcceptable, "Sorry, the diff exceeded the maximum number of files (300).")
			return
		}
		c.pull()
	case "GET /pulls", "POST /pulls", "PATCH /pulls/{pull_number}":
		c.pulls()
	case "GET /branches/{branch}", "GET /rules/branches/{branch}":
		c.branches()
	case "GET /pulls/{pull_number}/files":
		c.send(http.StatusOK, page(c, append(s.patched(), s.files()...)))
	case "GET /pulls/{pull_number}/comments", "POST /pulls/{pull_number}/reviews", "PATCH /pulls/comments/{comment_id}", "DELETE /pulls/comments/{comment_id}":
		c.reviews()
	case "GET /commits":
		from := slices.Index(s.Mainline, c.req.URL.Query().Get("sha"))
		if from < 0 {
			c.refuse(http.StatusNotFound, "Not Found")
			return
		}
		list := []map[string]any{}
		for i, sha := range s.Mainline[from:] {
			parents := []map[string]any{}
			if next := from + i + 1; next < len(s.Mainline) {
				parents = append(parents, map[string]any{"sha": s.Mainline[next]})
			}
			list = append(list, map[string]any{"sha": sha, "parents": parents})
		}
		c.send(http.StatusOK, page(c, list))
	case "GET /compare/{basehead}":
		c.send(http.StatusOK, map[string]any{"merge_base_commit": map[string]any{"sha": s.MergeBase}})
	case "GET /collaborators/{username}/permission":
		level := s.Permissions[c.params["username"]]
		if level == "" {
			level = "none"
		}
		c.send(http.StatusOK, map[string]any{"permission": level})
	default:
		c.report()
	}
}

func (s *Server) files() []map[string]any {
	var out []map[string]any
	for i := range min(s.ChangedFiles, 3000) {
		out = append(out, map[string]any{"filename": fmt.Sprintf("dir/file%04d.go", i), "status": "modified", "sha": s.Head})
	}
	return out
}

// report answers what publishing asks for.
func (c *call) report() {
	s := c.server
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}") {
	case "GET /issues/{issue_number}/comments":
		list := []map[string]any{}
		for _, comment := range s.Comments {
			list = append(list, comment.json())
		}
		c.send(http.StatusOK, page(c, list))
	case "POST /issues/{issue_number}/comments":
		body, _ := c.body["body"].(string)
		if len(body) > maxComment {
			c.refuse(http.StatusUnprocessableEntity, "Body is too long (maximum is 65536 characters)")
			return
		}
		if s.OnCreate != nil {
			s.OnCreate(s)
		}
		comment := Comment{ID: s.ID(), Author: s.author(), Bot: s.User == "", Body: body}
		s.Comments = append(s.Comments, comment)
		c.send(http.StatusCreated, comment.json())
	case "PATCH /issues/comments/{comment_id}", "DELETE /issues/comments/{comment_id}":
		i := slices.IndexFunc(s.Comments, func(k Comment) bool { return fmt.Sprint(k.ID) == c.params["comment_id"] })
		switch {
		case i < 0:
			c.refuse(http.StatusNotFound, "Not Found")
		case c.req.Method == http.MethodDelete:
			s.Comments = slices.Delete(s.Comments, i, i+1)
			c.send(http.StatusNoContent, nil)
		default:
			s.Comments[i].Body, _ = c.body["body"].(string)
			c.send(http.StatusOK, s.Comments[i].json())
		}
	case "GET /commits/{ref}/check-runs":
		list := []map[string]any{}
		for _, k := range s.Checks {
			if name := c.req.URL.Query().Get("check_name"); k.SHA == c.params["ref"] && (name == "" || name == k.Name) {
				list = append(list, k.json())
			}
		}
		total := len(list)
		c.send(http.StatusOK, map[string]any{"total_count": total, "check_runs": page(c, list)})
	case "POST /check-runs":
		s.Checks = append(s.Checks, Check{ID: s.ID(), SHA: c.text("head_sha")})
		c.update(&s.Checks[len(s.Checks)-1], http.StatusCreated)
	case "PATCH /check-runs/{check_run_id}":
		i := slices.IndexFunc(s.Checks, func(k Check) bool { return fmt.Sprint(k.ID) == c.params["check_run_id"] })
		if i < 0 {
			c.refuse(http.StatusNotFound, "Not Found")
			return
		}
		c.update(&s.Checks[i], http.StatusOK)
	default:
		c.git()
	}
}

func (c *call) text(key string) string {
	v, _ := c.body[key].(string)
	return v
}

// update applies a create or update of a check run.
func (c *call) update(k *Check, status int) {
	output, _ := c.body["output"].(map[string]any)
	for _, field := range []string{"summary", "text"} {
		if text, _ := output[field].(string); len(text) > maxField {
			c.refuse(http.StatusUnprocessableEntity, "Invalid request. "+field+" exceeds a maximum bytesize of 65535")
			return
		}
	}
	for key, field := range map[string]*string{"name": &k.Name, "external_id": &k.ExternalID, "status": &k.Status, "conclusion": &k.Conclusion} {
		if v, set := c.body[key].(string); set {
			*field = v
		}
	}
	if k.Status != "completed" {
		k.Conclusion = ""
	}
	for key, field := range map[string]*string{"title": &k.Title, "summary": &k.Summary, "text": &k.Text} {
		if v, set := output[key].(string); set {
			*field = v
		}
	}
	list, _ := output["annotations"].([]any)
	for _, a := range list {
		if m, ok := a.(map[string]any); ok {
			k.Annotations = append(k.Annotations, m)
		}
	}
	k.Updates++
	if s := c.server; s.OnUpdate != nil {
		s.OnUpdate(s)
	}
	c.send(status, k.json())
}

func (k Check) json() map[string]any {
	out := map[string]any{"id": k.ID, "name": k.Name, "head_sha": k.SHA, "external_id": k.ExternalID, "status": k.Status,
		"html_url": fmt.Sprintf("https://github.com/%s/runs/%d", Repository, k.ID),
		"output":   map[string]any{"title": k.Title, "summary": k.Summary, "text": k.Text, "annotations_count": len(k.Annotations)}}
	app := k.App
	if app == "" {
		app = App
	}
	out["app"] = map[string]any{"id": 10_000 + len(app), "slug": app, "name": app}
	if k.Conclusion != "" {
		out["conclusion"] = k.Conclusion
	}
	return out
}

func (k Comment) json() map[string]any {
	kind := "User"
	if k.Bot {
		kind = "Bot"
	}
	out := map[string]any{"id": k.ID, "body": k.Body, "user": map[string]any{"login": k.Author, "type": kind},
		"html_url": fmt.Sprintf("https://github.com/%s/pull/7#issuecomment-%d", Repository, k.ID)}
	if k.Association != "" {
		out["author_association"], out["created_at"] = k.Association, k.At
	}
	return out
}

func (s *Server) author() string {
	if s.User != "" {
		return s.User
	}
	return Bot
}

// ID is a fresh id, larger than all before.
func (s *Server) ID() int64 {
	s.nextID++
	return s.nextID
}
