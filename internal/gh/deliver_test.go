package gh

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/contract"
)

// shop is a repository with one pull request of its own.
func shop(t *testing.T) (*contract.Server, *Client) {
	t.Helper()
	s := contract.New(t)
	s.Git.Put("feature", s.Head, map[string]string{"a/price.go": "package a\n", "a/price_test.go": "package a // old\n", "README.md": "shop\n"})
	s.Git.Put("main", s.Base, map[string]string{"README.md": "shop\n"})
	c, _ := connect(t, s)
	return s, c
}

func delivery(s *contract.Server) Delivery {
	return Delivery{Number: 7, Head: s.Head, Subject: "Tests for #7", Body: "Two tests.", Paths: []string{"a/price_test.go", "b/new_test.go"},
		Edit: func(old map[string][]byte) (map[string][]byte, error) {
			return map[string][]byte{"a/price_test.go": append(old["a/price_test.go"], "// \xff new\n"...), "b/new_test.go": []byte("package b\n")}, nil
		}}
}

var afterwards = map[string]string{
	"README.md": "shop\n", "a/price.go": "package a\n", "a/price_test.go": "package a // old\n// \xff new\n", "b/new_test.go": "package b\n",
}

func files(s *contract.Server, branch string) map[string]string {
	out := map[string]string{}
	for _, e := range s.Git.Trees[s.Git.Commits[s.Git.Refs["refs/heads/"+branch]].Tree] {
		out[e.Path] = string(s.Git.Blobs[e.SHA])
	}
	return out
}

func TestDeliverOnThePullRequestsOwnBranch(t *testing.T) {
	t.Parallel()
	s, c := shop(t)
	head, d := s.Head, delivery(s)
	got, err := c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	made := s.Git.Commits[got.Commit]
	assert.DeepEqual(t, made.Parents, []string{head})
	assert.Equal(t, made.Message, "Tests for #7\n\nQa-Delivered: "+head)
	assert.Equal(t, s.Git.Refs["refs/heads/feature"], got.Commit)
	assert.Equal(t, cmp.Diff(afterwards, files(s, "feature")), "")

	// A run that was killed before it could say so finds it there.
	again, err := c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	assert.DeepEqual(t, again, got)
	assert.Equal(t, s.Git.Refs["refs/heads/feature"], got.Commit)

	// Other tests than those are for the next push.
	other := d
	other.Edit = func(map[string][]byte) (map[string][]byte, error) {
		return map[string][]byte{"b/new_test.go": []byte("package b // other\n")}, nil
	}
	_, err = c.Deliver(t.Context(), other)
	assert.Assert(t, errors.Is(err, ErrStale), "%v", err)

	// The workflow of that commit, if one starts, does not answer itself.
	d.Head = s.Head
	_, err = c.Deliver(t.Context(), d)
	assert.ErrorContains(t, err, "is a delivery itself")
}

func TestDeliverByAPullRequestThatIsKeptUpToDate(t *testing.T) {
	t.Parallel()
	s, c := shop(t)
	d := delivery(s)
	d.Branch = "qa/tests-7"
	first, err := c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	assert.Equal(t, len(s.Proposals), 1)
	p := s.Proposals[0]
	assert.Equal(t, fmt.Sprint(p.Head, " ", p.Base, " ", p.Title, " ", p.Body), "qa/tests-7 feature Tests for #7 Two tests.")
	assert.Equal(t, cmp.Diff(afterwards, files(s, "qa/tests-7")), "")
	assert.Equal(t, s.Git.Refs["refs/heads/feature"], d.Head) // not touched

	// The same run again changes nothing.
	again, err := c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	assert.Equal(t, again, Delivered{URL: first.URL})

	// The next push replaces it.
	s.Head = strings.Repeat("e", 40)
	s.Git.Put("feature", s.Head, map[string]string{"a/price_test.go": "package a // pushed\n"})
	d.Head, d.Body = s.Head, "Other tests."
	next, err := c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	assert.Equal(t, next.URL, first.URL)
	assert.Equal(t, len(s.Proposals), 1)
	assert.Equal(t, s.Proposals[0].Body, "Other tests.")
	assert.DeepEqual(t, s.Git.Commits[next.Commit].Parents, []string{s.Head})
	assert.Equal(t, files(s, "qa/tests-7")["a/price_test.go"], "package a // pushed\n// \xff new\n")

	// What was merged is followed by a new one.
	s.Proposals[0].State, s.Proposals[0].Merged = "closed", true
	d.Subject = "More tests for #7"
	_, err = c.Deliver(t.Context(), d)
	assert.NilError(t, err)
	assert.Equal(t, len(s.Proposals), 2)
}

// TestDeliverRefuses: whatever speaks against it, no branch moves and no pull
// request is made.
func TestDeliverRefuses(t *testing.T) {
	t.Parallel()
	both := []string{"", "qa/tests-7"}
	for name, k := range map[string]struct {
		set  func(*contract.Server, *Delivery)
		want string
		is   error
		ways []string
	}{
		"a fork": {func(s *contract.Server, _ *Delivery) { s.HeadRepo = "alice/shop" }, `is of the fork "alice/shop"`, nil, both},
		"a moved head": {func(s *contract.Server, d *Delivery) { s.Head = strings.Repeat("d", 40) },
			"is at ddddddd, the tests were proven on aaaaaaa", ErrStale, both},
		"a push in between": {func(s *contract.Server, d *Delivery) {
			s.Git.OnRef = func(s *contract.Server) {
				s.Git.Put("feature", strings.Repeat("d", 40), map[string]string{"x": "y"})
			}
		}, "Update is not a fast forward", ErrStale, both[:1]},
		"a closed pull request": {func(s *contract.Server, _ *Delivery) { s.State = "closed" }, "pull request #7 is closed", nil, both},
		"a protected branch": {func(s *contract.Server, _ *Delivery) {
			s.Git.Guarded = map[string]bool{"feature": true, "qa/tests-7": true}
		},
			"is protected", nil, both[:1]},
		"a ruleset": {func(s *contract.Server, _ *Delivery) {
			s.Git.Rules = map[string][]string{"feature": {"deletion", "pull_request"}, "qa/tests-7": {"update"}}
		}, "is protected by the rule", nil, both},
		"the default branch": {func(s *contract.Server, d *Delivery) { s.HeadRef = "main" }, `"main" is the default branch`, nil, both[:1]},
		"a link where the file is": {func(s *contract.Server, _ *Delivery) { turn(s, "a/price_test.go", "120000") },
			"a/price_test.go is not a regular file in the repository (mode 120000 at price_test.go)", nil, both},
		"a submodule on the way": {func(s *contract.Server, d *Delivery) {
			turn(s, "README.md", "160000")
			d.Paths = []string{"README.md/x_test.go"}
		}, "mode 160000 at README.md", nil, both},
		"a path that leaves": {func(_ *contract.Server, d *Delivery) { d.Paths = []string{"../x_test.go"} }, "is not the path of a file", nil, both},
		"too many files":     {func(_ *contract.Server, d *Delivery) { d.Paths = make([]string, 51) }, "51 files, expected at most 50", nil, both},
		"a file that is not the one tested": {func(_ *contract.Server, d *Delivery) {
			d.Edit = func(map[string][]byte) (map[string][]byte, error) { return nil, errors.New("differs") }
		}, "differs", nil, both},
		"a large file": {func(_ *contract.Server, d *Delivery) {
			d.Edit = func(map[string][]byte) (map[string][]byte, error) {
				return map[string][]byte{"b/new_test.go": make([]byte, 1<<20+1)}, nil
			}
		}, "expected at most 1048576", nil, both},
		"a token that reads": {func(s *contract.Server, _ *Delivery) { s.ReadOnly = true }, "the token is not allowed", ErrForbidden, both},
		"a branch of somebody else": {func(s *contract.Server, _ *Delivery) {
			s.Git.Put("qa/tests-7", strings.Repeat("f", 40), map[string]string{"x": "y"})
		}, "of somebody else, which is not overwritten", nil, both[1:]},
		"a proposal that was closed": {func(s *contract.Server, _ *Delivery) {
			s.Proposals = []contract.Proposal{{Number: 9, Head: "qa/tests-7", Base: "feature", State: "closed"}}
		}, "#9 with tests was closed; reopen it", nil, both[1:]},
	} {
		for _, way := range k.ways {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				s, c := shop(t)
				d := delivery(s)
				d.Branch = way
				k.set(s, &d)
				before, proposals := fmt.Sprint(s.Git.Refs), len(s.Proposals)
				got, err := c.Deliver(t.Context(), d)
				assert.ErrorContains(t, err, k.want)
				assert.Assert(t, k.is == nil || errors.Is(err, k.is), "%v", err)
				assert.Equal(t, got, Delivered{})
				assert.Equal(t, len(s.Proposals), proposals)
				if s.Git.OnRef == nil { // somebody else's push moves a branch
					assert.Equal(t, fmt.Sprint(s.Git.Refs), before)
				}
			})
		}
	}
}

// turn makes something else of a file.
func turn(s *contract.Server, path, mode string) {
	tree := s.Git.Trees[s.Git.Commits[s.Head].Tree]
	i := slices.IndexFunc(tree, func(e contract.Entry) bool { return e.Path == path })
	tree[i].Mode = mode
}

func TestDeliverWhatIsThereAlready(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"", "qa/tests-7"} {
		s, c := shop(t)
		d := delivery(s)
		d.Branch = way
		d.Edit = func(old map[string][]byte) (map[string][]byte, error) { return old, nil }
		got, err := c.Deliver(t.Context(), d)
		assert.NilError(t, err)
		assert.Equal(t, got, Delivered{})
		assert.Equal(t, len(s.Log("POST"))+len(s.Log("PATCH")), 0)
	}
}

func TestContentOfACommit(t *testing.T) {
	t.Parallel()
	s, c := shop(t)
	got, found, err := c.Content(t.Context(), s.Head, "a/price.go")
	assert.NilError(t, err)
	assert.Assert(t, found)
	assert.Equal(t, string(got), "package a\n")
	_, found, err = c.Content(t.Context(), s.Head, "a/none.go")
	assert.NilError(t, err)
	assert.Assert(t, !found)
	_, _, err = c.Content(t.Context(), s.Head, "a")
	assert.ErrorContains(t, err, "not a regular file")
	_, _, err = c.Content(t.Context(), strings.Repeat("0", 40), "a/price.go")
	assert.ErrorContains(t, err, "read commit 0000000")
}

func TestTestsBranch(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{".": "qa/tests-7", "": "qa/tests-7", "packages/api": "qa/tests-7-packages-api", ".hidden/x.lock": "qa/tests-7-hidden-x-lock"} {
		assert.Equal(t, TestsBranch(7, dir), want, dir)
	}
}
