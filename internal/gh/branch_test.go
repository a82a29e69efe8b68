package gh

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/contract"
)

const ours = "refs/heads/qa-history"

// append adds a line, as often as another writer is in the way.
func appendLine(t *testing.T, b *Branch, line string) {
	t.Helper()
	for range 200 {
		data, version, err := b.Load(t.Context())
		assert.NilError(t, err)
		err = b.Save(t.Context(), append(data, line+"\n"...), version)
		if err == nil {
			return
		}
		assert.Assert(t, errors.Is(err, ErrMoved), "%v", err)
	}
	t.Errorf("%s was never written", line)
}

func TestBranchIsMadeOnFirstWrite(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	b := c.Branch("qa-history", "history.json")
	data, version, err := b.Load(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(data)+version, "")
	assert.NilError(t, b.Save(t.Context(), []byte(strings.Repeat("é", 200)), ""))
	first := s.Git.Refs[ours]
	assert.Equal(t, len(s.Git.Commits[first].Parents), 0) // an orphan
	data, version, err = b.Load(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(data), strings.Repeat("é", 200))
	assert.NilError(t, b.Save(t.Context(), []byte("two"), version))
	assert.DeepEqual(t, s.Git.Commits[s.Git.Refs[ours]].Parents, []string{first})
	assert.Assert(t, errors.Is(b.Save(t.Context(), []byte("three"), version), ErrMoved), "an old version was replaced")
	assert.Assert(t, errors.Is(b.Save(t.Context(), []byte("three"), ""), ErrMoved), "a branch was made twice")
	assert.Equal(t, string(s.Git.File(ours, "history.json")), "two")
}

// TestBranchOfAnotherRunInBetween lets another writer be faster at the last
// moment, when the branch is made and when it is moved.
func TestBranchOfAnotherRunInBetween(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "zero"} {
		s := contract.New(t)
		c, _ := connect(t, s)
		b := c.Branch("qa-history", "history.json")
		if before != "" {
			appendLine(t, b, before)
		}
		s.Git.OnRef = func(s *contract.Server) {
			s.Git.OnRef = nil
			s.Git.Write(ours, "history.json", append(slices.Clone(s.Git.File(ours, "history.json")), "theirs\n"...))
		}
		appendLine(t, b, "mine")
		assert.Equal(t, strings.TrimPrefix(string(s.Git.File(ours, "history.json")), "zero\n"), "theirs\nmine\n")
	}
}

// TestBranchLosesNothing has writers at the same time, over a chain's end.
func TestBranchLosesNothing(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 30
	s := contract.New(t)
	var group sync.WaitGroup
	for w := range writers {
		c, _ := connect(t, s)
		group.Go(func() {
			for n := range each {
				appendLine(t, c.Branch("qa-history", "history.json"), fmt.Sprintf("%d-%d", w, n))
			}
		})
	}
	group.Wait()
	lines := strings.Fields(string(s.Git.File(ours, "history.json")))
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l] = true
	}
	assert.Equal(t, len(lines), writers*each)
	assert.Equal(t, len(seen), writers*each)
	commits := 0
	for at := s.Git.Refs[ours]; at != ""; commits++ {
		parents := s.Git.Commits[at].Parents
		if at = ""; len(parents) > 0 {
			at = parents[0]
		}
	}
	assert.Equal(t, commits, writers*each-maxChain+1, "the chain was not made one commit")
}

// TestBranchThatRefusesForce goes on with a long chain.
func TestBranchThatRefusesForce(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	b := c.Branch("qa-history", "history.json")
	for n := range maxChain - 1 {
		appendLine(t, b, fmt.Sprint(n))
	}
	s.Git.NoForce = true
	appendLine(t, b, "closing")
	appendLine(t, b, "after")
	assert.Assert(t, strings.HasSuffix(string(s.Git.File(ours, "history.json")), "98\nclosing\nafter\n"))
	assert.Equal(t, len(s.Git.Commits[s.Git.Refs[ours]].Parents), 1)
}

// TestClosedBranchIsLeftAlone until its time is up.
func TestClosedBranchIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, k := connect(t, s)
	b := c.Branch("qa-history", "history.json")
	appendLine(t, b, "one")
	head := s.Git.Refs[ours]
	commit := s.Git.Commits[head]
	commit.Message += closedTrailer + "\n"
	commit.Date = k.at.UTC().Format("2006-01-02T15:04:05Z")
	s.Git.Commits[head] = commit
	data, version, err := b.Load(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(data), "one\n") // reading needs no waiting
	assert.Assert(t, errors.Is(b.Save(t.Context(), []byte("two"), version), ErrMoved))
	k.at = k.at.Add(closedFor)
	assert.NilError(t, b.Save(t.Context(), []byte("two"), version))
}

func TestBranchFailures(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	b := c.Branch("qa-history", "history.json")
	assert.NilError(t, b.Save(t.Context(), []byte("one"), ""))
	_, _, err := c.Branch("qa-history", "other.json").Load(t.Context())
	assert.ErrorContains(t, err, "so it is not ours")
	s.ReadOnly = true
	_, version, err := b.Load(t.Context())
	assert.NilError(t, err) // a pull request reads
	assert.Assert(t, errors.Is(b.Save(t.Context(), nil, version), ErrForbidden))
	s.Refusals = []contract.Refusal{refuse(http.StatusNotFound, nil, "Not Found")}
	s.ReadOnly = false
	assert.Assert(t, errors.Is(b.Save(t.Context(), []byte("x"), version), ErrMoved)) // it is gone
	s.Git.Empty = true
	_, _, err = b.Load(t.Context())
	assert.ErrorContains(t, err, "Git Repository is empty")
}
