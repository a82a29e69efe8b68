package contract

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/cgi"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
)

// Served is a real repository behind the API: what is written through the Git data API
// are objects and refs of git, and git itself clones, fetches and pushes over HTTP.
type Served struct {
	Dir    string // bare
	server *Server
}

// Serve puts a bare copy of a repository behind the server's API. Its address for git
// is that of the server with "/git".
func (s *Server) Serve(from string) *Served {
	s.t.Helper()
	r := &Served{Dir: filepath.Join(s.t.TempDir(), "served.git"), server: s}
	r.run(nil, nil, "clone", "-q", "--bare", from, r.Dir)
	r.run(nil, nil, "-C", r.Dir, "config", "http.receivepack", "true")
	s.served.Store(r)
	return r
}

// Git runs git in the repository and gives what it prints.
func (r *Served) Git(args ...string) string {
	r.server.t.Helper()
	return r.run(nil, nil, append([]string{"-C", r.Dir}, args...)...)
}

func (r *Served) run(stdin []byte, env []string, args ...string) string {
	r.server.t.Helper()
	out, err := r.try(stdin, env, args...)
	if err != nil {
		r.server.t.Fatalf("git %q: %v", args, err)
	}
	return out
}

// try is run for what may be refused.
func (r *Served) try(stdin []byte, env []string, args ...string) (string, error) {
	res, err := process.Run(r.server.t.Context(), process.Command{
		Argv: append([]string{"git"}, args...), Dir: filepath.Dir(r.Dir), Stdin: bytes.NewReader(stdin), MaxOutput: 8 << 20,
		Env: append([]string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=qa[bot]", "GIT_AUTHOR_EMAIL=qa[bot]@users.noreply.github.com",
			"GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=noreply@github.com"}, env...),
	})
	if err == nil && res.ExitCode != 0 {
		err = fmt.Errorf("exit code %d: %s", res.ExitCode, res.Stderr)
	}
	return strings.TrimSuffix(string(res.Stdout), "\n"), err
}

// transport answers git itself.
func (r *Served) transport(w http.ResponseWriter, req *http.Request) {
	where, err := r.try(nil, nil, "--exec-path")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	handler := cgi.Handler{
		Path: filepath.Join(where, "git-http-backend"), Root: "/git", Dir: r.Dir,
		Env: []string{"GIT_PROJECT_ROOT=" + r.Dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=somebody", "GIT_CONFIG_GLOBAL=/dev/null"},
	}
	handler.ServeHTTP(w, req)
}

// git answers requests about objects and refs.
func (r *Served) git(c *call) {
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}/git") {
	case "GET /ref/{ref}":
		name := "refs/" + c.params["ref"]
		if sha, err := r.try(nil, nil, "-C", r.Dir, "rev-parse", "--verify", "-q", name); err == nil {
			c.send(http.StatusOK, refJSON(name, sha))
			return
		}
		c.refuse(http.StatusNotFound, "Not Found")
	case "POST /refs", "PATCH /refs/{ref}":
		r.setRef(c)
	case "GET /blobs/{file_sha}":
		sha := c.params["file_sha"]
		raw := []byte(r.run(nil, nil, "-C", r.Dir, "cat-file", "blob", sha) + "\n")
		if size := r.Git("cat-file", "-s", sha); size == fmt.Sprint(len(raw)-1) {
			raw = raw[:len(raw)-1] // it ends without a newline
		}
		c.send(http.StatusOK, map[string]any{"sha": sha, "size": len(raw), "encoding": "base64", "content": lines76(raw)})
	case "POST /blobs":
		raw, err := base64.StdEncoding.DecodeString(c.text("content"))
		if err != nil || c.text("encoding") != "base64" {
			c.refuse(http.StatusUnprocessableEntity, "content is not valid Base64")
			return
		}
		sha := r.run(raw, nil, "-C", r.Dir, "hash-object", "-w", "--stdin")
		c.send(http.StatusCreated, map[string]any{"sha": sha, "url": "https://api.github.com/blobs/" + sha})
	default:
		r.structure(c)
	}
}

func (r *Served) structure(c *call) {
	switch c.req.Method + " " + strings.TrimPrefix(c.route.Path, "/repos/{owner}/{repo}/git") {
	case "GET /trees/{tree_sha}":
		c.send(http.StatusOK, r.treeJSON(c.params["tree_sha"]))
	case "POST /trees":
		index := []string{"GIT_INDEX_FILE=" + filepath.Join(r.server.t.TempDir(), "index")}
		r.run(nil, index, "-C", r.Dir, "read-tree", c.text("base_tree"))
		list, _ := c.body["tree"].([]any)
		for _, item := range list {
			e, _ := item.(map[string]any)
			r.run(nil, index, "-C", r.Dir, "update-index", "--add", "--cacheinfo", fmt.Sprintf("%v,%v,%v", e["mode"], e["sha"], e["path"]))
		}
		c.send(http.StatusCreated, r.treeJSON(r.run(nil, index, "-C", r.Dir, "write-tree")))
	case "GET /commits/{commit_sha}":
		c.send(http.StatusOK, r.commitJSON(c.params["commit_sha"]))
	case "POST /commits":
		args := []string{"-C", r.Dir, "commit-tree", c.text("tree"), "-F", "-"}
		list, _ := c.body["parents"].([]any)
		for _, p := range list {
			args = append(args, "-p", fmt.Sprint(p))
		}
		c.send(http.StatusCreated, r.commitJSON(r.run([]byte(c.text("message")), nil, args...)))
	default:
		r.server.t.Errorf("contract: no answer for %s %s", c.req.Method, c.route.Path)
		c.refuse(http.StatusNotFound, "Not Found")
	}
}

// setRef creates or moves a ref as git would let a push do.
func (r *Served) setRef(c *call) {
	name, sha := c.text("ref"), c.text("sha")
	if ref, ok := c.params["ref"]; ok {
		name = "refs/" + ref
	}
	old, missing := r.try(nil, nil, "-C", r.Dir, "rev-parse", "--verify", "-q", name)
	forced, _ := c.body["force"].(bool)
	_, aside := r.try(nil, nil, "-C", r.Dir, "merge-base", "--is-ancestor", name, sha)
	switch {
	case c.req.Method == http.MethodPost && missing == nil:
		c.refuse(http.StatusUnprocessableEntity, "Reference already exists")
	case c.req.Method == http.MethodPost:
		r.Git("update-ref", name, sha, "")
		c.send(http.StatusCreated, refJSON(name, sha))
	case missing != nil:
		c.refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	case !forced && aside != nil:
		c.refuse(http.StatusUnprocessableEntity, "Update is not a fast forward")
	case r.server.Git.guarded(name):
		c.refuse(http.StatusUnprocessableEntity, "Repository rule violations found")
	default:
		r.Git("update-ref", name, sha, old)
		if s := c.server; name == "refs/heads/"+s.HeadRef {
			s.Head = sha // the pull request goes with its branch
		}
		c.send(http.StatusOK, refJSON(name, sha))
	}
}

func (r *Served) treeJSON(sha string) map[string]any {
	list := []map[string]any{}
	for line := range strings.Lines(r.Git("ls-tree", sha)) {
		meta, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words := strings.Fields(meta)
		list = append(list, map[string]any{"path": name, "mode": words[0], "type": words[1], "sha": words[2]})
	}
	return map[string]any{"sha": sha, "tree": list, "truncated": false}
}

func (r *Served) commitJSON(sha string) map[string]any {
	text := strings.SplitN(r.Git("show", "-s", "--format=%T%n%P%n%cI%n%B", sha), "\n", 4)
	return commitJSON(sha, Commit{Tree: text[0], Parents: strings.Fields(text[1]), Date: text[2], Message: strings.TrimRight(text[3], "\n")})
}
