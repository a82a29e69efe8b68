package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// pull answers for one pull request.
func (c *call) pull() {
	if c.params["pull_number"] == fmt.Sprint(c.server.Number) {
		c.send(http.StatusOK, c.server.pull())
		return
	}
	if p := c.proposal(); p != nil {
		c.send(http.StatusOK, p.json())
	}
}

// proposal finds the one that is asked for; nil after refusing.
func (c *call) proposal() *Proposal {
	s := c.server
	i := slices.IndexFunc(s.Proposals, func(p Proposal) bool { return fmt.Sprint(p.Number) == c.params["pull_number"] })
	if i < 0 {
		c.refuse(http.StatusNotFound, "Not Found")
		return nil
	}
	return &s.Proposals[i]
}

func (s *Server) pull() map[string]any {
	owner, _, _ := strings.Cut(s.HeadRepo, "/")
	return map[string]any{
		"number": s.Number, "state": s.State, "merged": s.Merged, "title": "a change", "changed_files": s.ChangedFiles,
		"head": map[string]any{"sha": s.Head, "ref": s.HeadRef, "label": owner + ":" + s.HeadRef, "repo": map[string]any{"full_name": s.HeadRepo, "name": "shop"}},
		"base": map[string]any{"sha": s.Base, "ref": "main", "label": "octo-org:main", "repo": map[string]any{"full_name": Repository, "name": "shop", "default_branch": "main"}},
	}
}

func (p Proposal) json() map[string]any {
	repo := map[string]any{"full_name": Repository, "name": "shop"}
	out := map[string]any{
		"number": p.Number, "state": p.State, "title": p.Title, "body": p.Body, "merged": p.Merged,
		"html_url": fmt.Sprintf("https://github.com/%s/pull/%d", Repository, p.Number),
		"head":     map[string]any{"ref": p.Head, "label": "octo-org:" + p.Head, "repo": repo},
		"base":     map[string]any{"ref": p.Base, "label": "octo-org:" + p.Base, "repo": repo},
	}
	if p.Merged {
		out["merged_at"] = "2026-01-02T03:04:05Z"
	}
	return out
}

// pulls lists, makes and changes pull requests.
func (c *call) pulls() {
	s := c.server
	switch c.req.Method {
	case http.MethodGet:
		query := c.req.URL.Query()
		wanted := func(key, has string) bool { v := query.Get(key); return v == "" || v == "all" || v == has }
		owner, _, _ := strings.Cut(s.HeadRepo, "/")
		list := []map[string]any{}
		if wanted("head", owner+":"+s.HeadRef) && wanted("base", "main") {
			list = append(list, s.pull())
		}
		for _, p := range slices.Backward(s.Proposals) {
			if wanted("head", "octo-org:"+p.Head) && wanted("base", p.Base) && wanted("state", p.State) {
				list = append(list, p.json())
			}
		}
		c.send(http.StatusOK, page(c, list))
	case http.MethodPost:
		p := Proposal{Number: int(s.ID()), Head: c.text("head"), Base: c.text("base"), Title: c.text("title"), Body: c.text("body"), State: "open"}
		if s.branch(p.Head) == "" || s.branch(p.Base) == "" {
			c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
			return
		}
		s.Proposals = append(s.Proposals, p)
		c.send(http.StatusCreated, p.json())
	case http.MethodPatch:
		p := c.proposal()
		if p == nil {
			return
		}
		for key, field := range map[string]*string{"title": &p.Title, "body": &p.Body, "state": &p.State} {
			if v := c.text(key); v != "" {
				*field = v
			}
		}
		c.send(http.StatusOK, p.json())
	}
}

// branch is the commit that a branch names, empty where there is none.
func (s *Server) branch(name string) string {
	r := s.served.Load()
	if r == nil {
		return s.Git.Refs["refs/heads/"+name]
	}
	sha, err := r.try(nil, nil, "-C", r.Dir, "rev-parse", "--verify", "-q", "refs/heads/"+name)
	if err != nil {
		return ""
	}
	return sha
}

// branches answers how a branch is guarded.
func (c *call) branches() {
	g, name := &c.server.Git, c.params["branch"]
	if strings.HasPrefix(c.route.Path, "/repos/{owner}/{repo}/rules/") {
		rules := []map[string]any{}
		for _, kind := range g.Rules[name] {
			rules = append(rules, map[string]any{"type": kind})
		}
		// Each kind has a schema of its own: nothing is filled in.
		c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		c.w.WriteHeader(http.StatusOK)
		_ = json.NewEncoder(c.w).Encode(rules)
		return
	}
	sha := c.server.branch(name)
	if sha == "" {
		c.refuse(http.StatusNotFound, "Branch not found")
		return
	}
	c.send(http.StatusOK, map[string]any{"name": name, "protected": g.Guarded[name], "commit": map[string]any{"sha": sha}})
}
