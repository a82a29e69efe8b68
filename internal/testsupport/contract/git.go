package contract

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Git is a repository's object store and refs. Names of objects are digests, as
// in git, but not those that git would give.
type Git struct {
	Refs    map[string]string // "refs/heads/main" → commit
	Commits map[string]Commit
	Trees   map[string][]Entry
	Blobs   map[string][]byte
	// Empty is a repository without a commit, which has no object store.
	Empty bool
	// NoForce is a rule that refuses forced updates.
	NoForce bool
	// Guarded are branches with a protection rule, Rules the types of the
	// rules that rulesets have for a branch.
	Guarded map[string]bool
	Rules   map[string][]string
	// OnRef runs just before a ref is created or changed: another run's turn.
	OnRef func(s *Server)
}

// Commit is a commit of [Git].
type Commit struct {
	Tree    string
	Parents []string
	Message string
	Date    string // of the committer
}

// Entry is a file or directory of a tree.
type Entry struct {
	Path, Mode, Type, SHA string
}

// File is the content of a file at the top of a ref's tree, nil without one.
func (g *Git) File(ref, path string) []byte {
	tree := g.Trees[g.Commits[g.Refs[ref]].Tree]
	if i := slices.IndexFunc(tree, func(e Entry) bool { return e.Path == path }); i >= 0 {
		return g.Blobs[tree[i].SHA]
	}
	return nil
}

// Write is somebody else's commit: it makes a file the whole tree of a ref.
func (g *Git) Write(ref, path string, content []byte) {
	tree := put(&g.Trees, []Entry{{Path: path, Mode: "100644", Type: "blob", SHA: put(&g.Blobs, content)}})
	commit := Commit{Tree: tree, Message: "theirs", Date: "2026-01-02T03:04:05Z"}
	if old, ok := g.Refs[ref]; ok {
		commit.Parents = []string{old}
	} else if g.Refs == nil {
		g.Refs = map[string]string{}
	}
	g.Refs[ref] = put(&g.Commits, commit)
}

// put stores an object under the digest of what it is made of.
func put[T any](store *map[string]T, object T) string {
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err) // only strings and bytes
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %s", object, raw))
	name := hex.EncodeToString(sum[:20])
	if *store == nil {
		*store = map[string]T{}
	}
	(*store)[name] = object
	return name
}

// git answers what reads and writes objects and refs.
func (c *call) git() {
	g := &c.server.Git
	if r := c.server.served.Load(); r != nil {
		r.git(c)
		return
	}
	if g.Empty {
		c.refuse(http.StatusConflict, "Git Repository is empty.")
		return
	}
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}/git") {
	case "GET /ref/{ref}":
		name := "refs/" + c.params["ref"]
		if sha, ok := g.Refs[name]; ok {
			c.send(http.StatusOK, refJSON(name, sha))
			return
		}
		c.refuse(http.StatusNotFound, "Not Found")
	case "POST /refs", "PATCH /refs/{ref}", "DELETE /refs/{ref}":
		if g.OnRef != nil {
			g.OnRef(c.server)
		}
		c.setRef(g)
	case "GET /blobs/{file_sha}":
		if blob, ok := g.Blobs[c.params["file_sha"]]; ok {
			c.send(http.StatusOK, map[string]any{"sha": c.params["file_sha"], "size": len(blob), "encoding": "base64", "content": lines76(blob)})
			return
		}
		c.refuse(http.StatusNotFound, "Not Found")
	case "POST /blobs":
		content := []byte(c.text("content"))
		if c.text("encoding") == "base64" {
			raw, err := base64.StdEncoding.DecodeString(string(content))
			if err != nil {
				c.refuse(http.StatusUnprocessableEntity, "content is not valid Base64")
				return
			}
			content = raw
		}
		sha := put(&g.Blobs, content)
		c.send(http.StatusCreated, map[string]any{"sha": sha, "url": "https://api.github.com/blobs/" + sha})
	default:
		c.structure(g)
	}
}

// structure answers for trees and commits.
func (c *call) structure(g *Git) {
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}/git") {
	case "GET /trees/{tree_sha}":
		if tree, ok := g.Trees[c.params["tree_sha"]]; ok {
			c.send(http.StatusOK, g.treeJSON(c.params["tree_sha"], tree))
			return
		}
		c.refuse(http.StatusNotFound, "Not Found")
	case "POST /trees":
		tree, problem := c.newTree(g)
		if problem != "" {
			c.refuse(http.StatusUnprocessableEntity, problem)
			return
		}
		c.send(http.StatusCreated, g.treeJSON(put(&g.Trees, tree), tree))
	case "GET /commits/{commit_sha}":
		if commit, ok := g.Commits[c.params["commit_sha"]]; ok {
			c.send(http.StatusOK, commitJSON(c.params["commit_sha"], commit))
			return
		}
		c.refuse(http.StatusNotFound, "Not Found")
	case "POST /commits":
		commit := Commit{Tree: c.text("tree"), Message: c.text("message"), Date: "2026-01-02T03:04:05Z"}
		list, _ := c.body["parents"].([]any)
		for _, p := range list {
			commit.Parents = append(commit.Parents, fmt.Sprint(p))
		}
		if _, ok := g.Trees[commit.Tree]; !ok {
			c.refuse(http.StatusUnprocessableEntity, "Tree SHA does not exist")
			return
		}
		for _, p := range commit.Parents {
			if _, ok := g.Commits[p]; !ok {
				c.refuse(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object")
				return
			}
		}
		if who, ok := c.body["committer"].(map[string]any); ok {
			commit.Date, _ = who["date"].(string)
		}
		sha := put(&g.Commits, commit)
		c.send(http.StatusCreated, commitJSON(sha, commit))
	default:
		c.server.t.Errorf("contract: no answer for %s %s", c.req.Method, c.route.Path)
		c.refuse(http.StatusNotFound, "Not Found")
	}
}

// setRef creates, moves or deletes a ref; moving it is a fast forward unless
// forced.
func (c *call) setRef(g *Git) {
	if g.Refs == nil {
		g.Refs = map[string]string{}
	}
	name, sha := c.text("ref"), c.text("sha")
	if ref, ok := c.params["ref"]; ok {
		name = "refs/" + ref
	}
	old, exists := g.Refs[name]
	_, known := g.Commits[sha]
	forced, _ := c.body["force"].(bool)
	switch {
	case c.req.Method == http.MethodDelete && !exists, c.req.Method == http.MethodPatch && !exists:
		c.refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	case c.req.Method == http.MethodDelete:
		delete(g.Refs, name)
		c.send(http.StatusNoContent, nil)
	case !known:
		c.refuse(http.StatusUnprocessableEntity, "Object does not exist")
	case c.req.Method == http.MethodPost && exists:
		c.refuse(http.StatusUnprocessableEntity, "Reference already exists")
	case c.req.Method == http.MethodPost:
		g.Refs[name] = sha
		c.send(http.StatusCreated, refJSON(name, sha))
	case forced && g.NoForce:
		c.refuse(http.StatusUnprocessableEntity, "Repository rule violations found")
	case !forced && !g.descends(sha, old):
		c.refuse(http.StatusUnprocessableEntity, "Update is not a fast forward")
	case g.guarded(name):
		c.refuse(http.StatusUnprocessableEntity, "Repository rule violations found")
	default:
		g.Refs[name] = sha
		if s := c.server; name == "refs/heads/"+s.HeadRef && s.HeadRepo == Repository {
			s.Head = sha // the pull request goes with its branch
		}
		c.send(http.StatusOK, refJSON(name, sha))
	}
}

func (g *Git) guarded(ref string) bool {
	branch := strings.TrimPrefix(ref, "refs/heads/")
	return g.Guarded[branch] || len(g.Rules[branch]) > 0
}

// descends reports whether a commit is another one or comes after it.
func (g *Git) descends(sha, from string) bool {
	return sha == from || slices.ContainsFunc(g.Commits[sha].Parents, func(p string) bool { return g.descends(p, from) })
}

// newTree is base_tree with the entries laid over it, sorted by path.
func (c *call) newTree(g *Git) ([]Entry, string) {
	all := map[string]Entry{}
	for _, e := range g.Trees[c.text("base_tree")] {
		all[e.Path] = e
	}
	if _, ok := g.Trees[c.text("base_tree")]; !ok && c.text("base_tree") != "" {
		return nil, "base_tree is not a valid tree oid"
	}
	list, _ := c.body["tree"].([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		text := func(key string) string { v, _ := m[key].(string); return v }
		e := Entry{Path: text("path"), Mode: text("mode"), Type: text("type"), SHA: text("sha")}
		if content, inline := m["content"].(string); inline {
			e.SHA = put(&g.Blobs, []byte(content))
		}
		if sha, given := m["sha"]; given && sha == nil {
			delete(all, e.Path)
			continue
		}
		if _, ok := g.Blobs[e.SHA]; !ok {
			return nil, "tree.sha " + e.SHA + " is not a valid blob"
		}
		all[e.Path] = e
	}
	var tree []Entry
	for _, path := range slices.Sorted(maps.Keys(all)) {
		tree = append(tree, all[path])
	}
	return tree, ""
}

// lines76 is base64 as GitHub sends it, with line ends in it.
func lines76(raw []byte) string {
	text := base64.StdEncoding.EncodeToString(raw)
	var b strings.Builder
	for len(text) > 60 {
		b.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	return b.String() + text + "\n"
}

func refJSON(name, sha string) map[string]any {
	return map[string]any{"ref": name, "object": map[string]any{"type": "commit", "sha": sha}}
}

// treeJSON lists what is directly in a tree; directories become trees of their
// own, as a tree is stored flat.
func (g *Git) treeJSON(sha string, tree []Entry) map[string]any {
	list, inner := []map[string]any{}, map[string][]Entry{}
	for _, e := range tree {
		if dir, rest, deep := strings.Cut(e.Path, "/"); deep {
			e.Path = rest
			inner[dir] = append(inner[dir], e)
			continue
		}
		list = append(list, map[string]any{"path": e.Path, "mode": e.Mode, "type": e.Type, "sha": e.SHA})
	}
	for _, dir := range slices.Sorted(maps.Keys(inner)) {
		list = append(list, map[string]any{"path": dir, "mode": "040000", "type": "tree", "sha": put(&g.Trees, inner[dir])})
	}
	return map[string]any{"sha": sha, "tree": list, "truncated": false}
}

// Put makes a commit of files (content by path) under a name that the test
// chooses, and lets a branch name it.
func (g *Git) Put(branch, sha string, files map[string]string) {
	if g.Refs == nil {
		g.Refs = map[string]string{}
	}
	if g.Commits == nil {
		g.Commits = map[string]Commit{}
	}
	var tree []Entry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		tree = append(tree, Entry{Path: path, Mode: "100644", Type: "blob", SHA: put(&g.Blobs, []byte(files[path]))})
	}
	g.Refs["refs/heads/"+branch] = sha
	g.Commits[sha] = Commit{Tree: put(&g.Trees, tree), Message: "a change", Date: "2026-01-02T03:04:05Z"}
}

func commitJSON(sha string, commit Commit) map[string]any {
	parents := []map[string]any{}
	for _, p := range commit.Parents {
		parents = append(parents, map[string]any{"sha": p})
	}
	who := map[string]any{"name": "GitHub", "email": "noreply@github.com", "date": commit.Date}
	return map[string]any{"sha": sha, "message": commit.Message, "tree": map[string]any{"sha": commit.Tree}, "parents": parents, "author": who, "committer": who}
}
