package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// ErrMoved says that somebody else wrote to a branch in between.
var ErrMoved = errors.New("the branch was written by another run")

const (
	// maxChain is how many commits a branch collects until they become one.
	maxChain = 100
	// closedFor is how long a writer has to make one commit of the chain; until
	// then nobody else writes.
	closedFor = 10 * time.Minute
	// The trailers of our commits.
	chainTrailer  = "Qa-Chain: "
	closedTrailer = "Qa-Closed: yes"
)

// Branch is one file on a branch of its own, which shares no commit with the
// code. It is read and written through the Git data API, so no checkout is
// needed.
//
// Writers never overwrite each other: each commit is a child of the one that was
// loaded, and GitHub refuses what is not a fast forward. Every hundredth commit
// closes the chain; its writer then replaces the chain by one commit without
// parents, which is the only forced update, while the others wait.
type Branch struct {
	client *Client
	ref    string // heads/<name>
	file   string
}

// Branch names a file on a branch; neither need exist.
func (c *Client) Branch(name, file string) *Branch {
	return &Branch{client: c, ref: "heads/" + name, file: file}
}

// tip is the newest commit of the branch.
type tip struct {
	sha    string // empty when there is no branch
	tree   string
	chain  int // commits up to here
	closed bool
	date   time.Time
}

// Load reads the file; data is nil and version empty when there is no branch. A
// branch that holds something else is an error.
func (b *Branch) Load(ctx context.Context) (data []byte, version string, err error) {
	at, err := b.tip(ctx)
	if err != nil || at.sha == "" {
		return nil, "", err
	}
	c := b.client
	tree, _, err := c.api.Git.GetTree(ctx, c.owner, c.repo, at.tree, false)
	if err != nil {
		return nil, "", failed("read "+b.ref, err)
	}
	for _, e := range tree.Entries {
		if e.GetPath() != b.file || e.GetType() != "blob" {
			continue
		}
		data, err := c.blob(ctx, b.file+" of "+b.ref, e.GetSHA())
		return data, at.sha, err
	}
	return nil, "", fmt.Errorf("the branch %s has no file %s, so it is not ours; delete or rename it", b.ref, b.file)
}

// tip asks for the newest commit.
func (b *Branch) tip(ctx context.Context) (tip, error) {
	sha, err := b.sha(ctx)
	if err != nil || sha == "" {
		return tip{}, err
	}
	c := b.client
	commit, _, err := c.api.Git.GetCommit(ctx, c.owner, c.repo, sha)
	if err != nil {
		return tip{}, failed("read "+b.ref, err)
	}
	at := tip{sha: sha, tree: commit.GetTree().GetSHA(), date: commit.GetCommitter().GetDate().Time, chain: maxChain}
	for line := range strings.Lines(commit.GetMessage()) {
		line = strings.TrimSpace(line)
		if n, ok := strings.CutPrefix(line, chainTrailer); ok {
			if n, err := strconv.Atoi(n); err == nil && n > 0 {
				at.chain = n
			}
		}
		at.closed = at.closed || line == closedTrailer
	}
	return at, nil
}

// sha asks where the branch is; empty when there is none.
func (b *Branch) sha(ctx context.Context) (string, error) {
	c := b.client
	ref, resp, err := c.api.Git.GetRef(ctx, c.owner, c.repo, "refs/"+b.ref)
	if err != nil {
		if resp != nil && resp.StatusCode == http.StatusNotFound {
			return "", nil
		}
		return "", failed("look for "+b.ref, err)
	}
	return ref.GetObject().GetSHA(), nil
}

// Save replaces the version that was loaded, or makes the branch when version is
// empty. It does nothing and returns [ErrMoved] when the branch is at another
// commit by now.
func (b *Branch) Save(ctx context.Context, data []byte, version string) error {
	at, err := b.tip(ctx)
	switch {
	case err != nil:
		return err
	case at.sha != version:
		return ErrMoved
	case at.closed && b.client.now().Sub(at.date) < closedFor:
		if err := b.client.sleep(ctx, time.Second); err != nil {
			return err
		}
		return ErrMoved // it will be
	}
	tree, err := b.tree(ctx, data)
	if err != nil {
		return err
	}
	next := tip{tree: tree, chain: at.chain + 1, closed: at.chain+1 >= maxChain}
	if at.sha == "" {
		next.chain, next.closed = 1, false
	}
	if err := b.commit(ctx, &next, at.sha); err != nil {
		return err
	}
	if err := b.move(ctx, at.sha, next.sha); err != nil {
		return err
	}
	if next.closed {
		return b.shorten(ctx, next)
	}
	return nil
}

// tree stores the file and the directory that holds it alone.
func (b *Branch) tree(ctx context.Context, data []byte) (string, error) {
	c := b.client
	entry, err := store(ctx, c, b.file, "100644", data)
	if err != nil {
		return "", err
	}
	tree, _, err := c.api.Git.CreateTree(ctx, c.owner, c.repo, "", []*github.TreeEntry{entry})
	if err != nil {
		return "", failed("store "+b.file, err)
	}
	return tree.GetSHA(), nil
}

// commit stores a commit; t then has its name and date.
func (b *Branch) commit(ctx context.Context, t *tip, parent string) error {
	message := "Record a run\n\n" + chainTrailer + strconv.Itoa(t.chain) + "\n"
	if t.closed {
		message += closedTrailer + "\n"
	}
	spec := &github.Commit{Message: &message, Tree: &github.Tree{SHA: &t.tree}}
	if parent != "" {
		spec.Parents = []*github.Commit{{SHA: &parent}}
	}
	c := b.client
	made, _, err := c.api.Git.CreateCommit(ctx, c.owner, c.repo, spec, nil)
	if err != nil {
		return failed("commit "+b.file, err)
	}
	t.sha, t.date = made.GetSHA(), made.GetCommitter().GetDate().Time
	return nil
}

// move sets the branch from one commit to the next, never by force. When that
// is refused, where the branch is now tells why, whatever the words.
func (b *Branch) move(ctx context.Context, from, to string) error {
	c := b.client
	ref := &github.Reference{Ref: github.String("refs/" + b.ref), Object: &github.GitObject{SHA: &to}}
	var err error
	if from == "" {
		_, _, err = c.api.Git.CreateRef(ctx, c.owner, c.repo, ref)
	} else {
		_, _, err = c.api.Git.UpdateRef(ctx, c.owner, c.repo, ref, false)
	}
	if err == nil {
		return nil
	}
	problem := failed("write "+b.ref, err)
	if errors.Is(problem, ErrForbidden) || ctx.Err() != nil {
		return problem
	}
	now, err := b.sha(ctx)
	switch {
	case err != nil:
		return errors.Join(problem, err)
	case now == to:
		return nil // only the reply was lost
	case now != from:
		return ErrMoved
	}
	return problem
}

// shorten makes one commit of a chain that we closed. Where that is not
// possible, as on a branch that refuses forced updates, the chain is opened
// again and tried after as many commits as before.
func (b *Branch) shorten(ctx context.Context, closed tip) error {
	if done, err := b.force(ctx, closed); done || ctx.Err() != nil {
		return err
	}
	again := tip{tree: closed.tree, chain: 1}
	if err := b.commit(ctx, &again, closed.sha); err != nil {
		return err
	}
	if err := b.move(ctx, closed.sha, again.sha); !errors.Is(err, ErrMoved) {
		return err
	}
	return nil // the forced update came through after all, or the time was up
}

// force replaces a closed chain by one commit, if it can while the others wait.
func (b *Branch) force(ctx context.Context, closed tip) (done bool, err error) {
	c := b.client
	ctx, stop := context.WithTimeout(context.WithValue(ctx, onceKey{}, true), closedFor/2)
	defer stop()
	one := tip{tree: closed.tree, chain: 1}
	if err := b.commit(ctx, &one, ""); err != nil {
		return false, err
	}
	ref := &github.Reference{Ref: github.String("refs/" + b.ref), Object: &github.GitObject{SHA: &one.sha}}
	_, _, err = c.api.Git.UpdateRef(ctx, c.owner, c.repo, ref, true)
	return err == nil, failed("shorten "+b.ref, err)
}
