package gh

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/org/qa-action/internal/wording"
)

// Bounds of a delivery: beyond them it is no set of tests for one change.
const (
	maxDelivered     = 50
	maxDeliveredSize = 1 << 20 // bytes of one file
	maxWhy           = 200     // characters of why a test is there
)

// gitCommit is a commit as far as deliveries need it.
type gitCommit struct {
	sha, tree, message, url string
	parents                 []string
}

func (c *Client) commitAt(ctx context.Context, sha string) (gitCommit, error) {
	got, _, err := c.api.Git.GetCommit(ctx, c.owner, c.repo, sha)
	if err != nil {
		return gitCommit{}, failed(fmt.Sprintf("read commit %.7s", sha), err)
	}
	return gitCommitOf(got), nil
}

func gitCommitOf(k *github.Commit) gitCommit {
	out := gitCommit{sha: k.GetSHA(), tree: k.GetTree().GetSHA(), message: k.GetMessage(), url: k.GetHTMLURL()}
	for _, p := range k.Parents {
		out.parents = append(out.parents, p.GetSHA())
	}
	return out
}

// commitFiles makes a commit on top of head that no branch names yet. When the
// files are what head has, nothing is made and the tree is that of head.
func (d handover) commitFiles(ctx context.Context, head gitCommit) (gitCommit, error) {
	if len(d.Paths) > maxDelivered {
		return gitCommit{}, fmt.Errorf("%d files, expected at most %d", len(d.Paths), maxDelivered)
	}
	w := walk{client: d.c, trees: map[string][]*github.TreeEntry{}}
	old, modes := map[string][]byte{}, map[string]string{}
	for _, path := range d.Paths {
		entry, err := w.find(ctx, head.tree, path)
		if err != nil {
			return gitCommit{}, err
		}
		modes[path] = "100644"
		if entry == nil {
			continue
		}
		modes[path] = entry.GetMode()
		if old[path], err = d.c.blob(ctx, path, entry.GetSHA()); err != nil {
			return gitCommit{}, err
		}
	}
	now, err := d.Edit(old)
	if err != nil {
		return gitCommit{}, err
	}
	var entries []*github.TreeEntry
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if before, had := old[path]; had && string(before) == string(now[path]) {
			continue
		}
		if len(now[path]) > maxDeliveredSize {
			return gitCommit{}, fmt.Errorf("file %s has %d bytes, expected at most %d", path, len(now[path]), maxDeliveredSize)
		}
		entry, err := store(ctx, d.c, path, modes[path], now[path])
		if err != nil {
			return gitCommit{}, err
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return head, nil
	}
	tree, _, err := d.c.api.Git.CreateTree(ctx, d.c.owner, d.c.repo, head.tree, entries)
	if err != nil {
		return gitCommit{}, failed("store the tree", err)
	}
	message := strings.Join(slices.Concat([]string{d.Subject, ""}, d.said(), []string{deliveredTrailer + d.Head}), "\n")
	made, _, err := d.c.api.Git.CreateCommit(ctx, d.c.owner, d.c.repo, &github.Commit{
		Message: &message, Tree: tree, Parents: []*github.Commit{{SHA: &d.Head}}}, nil)
	if err != nil {
		return gitCommit{}, failed("store the commit", err)
	}
	return gitCommitOf(made), nil
}

// said are the reasons as lines of a commit's message, without what GitHub and its
// workflows act on there: references that close issues, names of people, orders to skip.
func (d handover) said() []string {
	var out []string
	for _, reason := range d.Reasons {
		out = append(out, "- "+strings.NewReplacer("#", "", "@", "", "[", "(", "]", ")").Replace(wording.Line(reason, maxWhy)))
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// walk looks paths up in a tree, directory by directory: the list of a whole
// tree is cut off by the API when it is large.
type walk struct {
	client *Client
	trees  map[string][]*github.TreeEntry
}

// find gives the regular file at path, nil when there is nothing. A link or a
// submodule on the way is an error: what is written there would land elsewhere.
func (w walk) find(ctx context.Context, tree, path string) (*github.TreeEntry, error) {
	parts := strings.Split(path, "/")
	for i, name := range parts {
		if name == "" || name == "." || name == ".." {
			return nil, fmt.Errorf("%q is not the path of a file", path)
		}
		list, known := w.trees[tree]
		if !known {
			got, _, err := w.client.api.Git.GetTree(ctx, w.client.owner, w.client.repo, tree, false)
			if err != nil {
				return nil, failed("read the directory of "+path, err)
			}
			list, w.trees[tree] = got.Entries, got.Entries
		}
		at := slices.IndexFunc(list, func(e *github.TreeEntry) bool { return e.GetPath() == name })
		if at < 0 {
			return nil, nil
		}
		mode, last := list[at].GetMode(), i == len(parts)-1
		switch {
		case last && (mode == "100644" || mode == "100755"):
			return list[at], nil
		case last || mode != "040000":
			return nil, fmt.Errorf("%s is not a regular file in the repository (mode %s at %s)", path, mode, name)
		}
		tree = list[at].GetSHA()
	}
	return nil, nil
}

// store keeps a file's content and gives its entry for a tree. It is sent as base64,
// because a tree's own content must be UTF-8.
func store(ctx context.Context, c *Client, path, mode string, data []byte) (*github.TreeEntry, error) {
	blob, _, err := c.api.Git.CreateBlob(ctx, c.owner, c.repo, &github.Blob{
		Content: github.String(base64.StdEncoding.EncodeToString(data)), Encoding: github.String("base64")})
	if err != nil {
		return nil, failed("store "+path, err)
	}
	return &github.TreeEntry{Path: &path, Mode: &mode, Type: github.String("blob"), SHA: blob.SHA}, nil
}

// blob reads a file's content.
func (c *Client) blob(ctx context.Context, path, sha string) ([]byte, error) {
	got, _, err := c.api.Git.GetBlob(ctx, c.owner, c.repo, sha)
	if err != nil {
		return nil, failed("read "+path, err)
	}
	if got.GetEncoding() != "base64" {
		return []byte(got.GetContent()), nil
	}
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(got.GetContent(), "\n", ""))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return raw, nil
}
