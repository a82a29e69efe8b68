package assurance

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
)

// separable reports whether what a test captures can be had without the regression
// that others prove: there is a version of the code, the change with one block of
// it taken back, in which the proofs pass and the test does too. A test that
// writes the regression down as wanted fails in every version without it. Where
// the change cannot be taken apart like that, nobody can tell.
func (c *Chain) separable(ctx context.Context, v *Verdict, proofs []*Verdict) (found bool, err error) {
	name := v.Candidate.Source
	head, err := c.Read(name)
	if err != nil || c.Base == nil {
		return false, nil // nothing to compare: nobody can tell
	}
	if slices.ContainsFunc(append(slices.Clone(proofs), v), func(t *Verdict) bool { return t.Path == name }) {
		return false, nil // the tests stand in the file that would be taken apart
	}
	base, err := c.before(c.basePath(name))
	if err != nil {
		return false, err
	}
	defer func() {
		err = errors.Join(err, c.Head.Write(name, head))
		for _, t := range append(slices.Clone(proofs), v) {
			err = errors.Join(err, c.restore(t.Path))
		}
	}()
	for _, text := range without(base, head) {
		if err := c.Head.Write(name, text); err != nil {
			return false, err
		}
		holds := true
		for _, t := range append(slices.Clone(proofs), v) {
			if holds, err = c.passes(ctx, t); err != nil || !holds {
				break
			}
		}
		if holds || err != nil {
			return holds && err == nil, err
		}
	}
	return false, nil
}

// passes runs one test in the head tree as it is.
func (c *Chain) passes(ctx context.Context, v *Verdict) (bool, error) {
	if err := c.Head.Write(v.Path, v.placed); err != nil {
		return false, err
	}
	c.Options.Races = v.Proof != nil && v.Proof.Races
	defer func() { c.Options.Races = false }()
	o, err := trial{c, v, v.Name, outcome{cases: v.ids}}.again(ctx, nil)
	return o.status == qa.Passed, err
}

func (c *Chain) basePath(name string) string {
	f, ok := each.First(c.Change, func(f qa.FileChange) bool { return f.Path == name })
	if !ok {
		return name
	}
	return f.BasePath()
}

// Bounds of taking a change apart.
const (
	maxBlocks = 8
	maxCells  = 4 << 20 // of the table that compares lines
)

// block is where the lines of base and head differ.
type block struct{ baseFrom, baseTo, headFrom, headTo int }

// without are the versions of head with one block of the change taken back.
// There is none when the change is a single block, too many, or too long.
func without(base, head []byte) [][]byte {
	before, after := bytes.SplitAfter(base, []byte("\n")), bytes.SplitAfter(head, []byte("\n"))
	all := blocks(before, after)
	if len(base) == 0 || len(all) < 2 || len(all) > maxBlocks {
		return nil
	}
	out := make([][]byte, len(all))
	for i, b := range all {
		out[i] = taken(before, after, []block{b})
	}
	return out
}

// blocks compares two texts by their longest common subsequence of lines.
func blocks(before, after [][]byte) []block {
	from := 0
	for from < min(len(before), len(after)) && bytes.Equal(before[from], after[from]) {
		from++
	}
	n, m := len(before), len(after)
	for n > from && m > from && bytes.Equal(before[n-1], after[m-1]) {
		n, m = n-1, m-1
	}
	if (n-from+1)*(m-from+1) > maxCells {
		return nil
	}
	common := make([][]int, n-from+1) // of what follows
	for i := range common {
		common[i] = make([]int, m-from+1)
	}
	for i := n - from - 1; i >= 0; i-- {
		for j := m - from - 1; j >= 0; j-- {
			if bytes.Equal(before[from+i], after[from+j]) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []block
	for i, j := from, from; i < n || j < m; {
		b := block{i, i, j, j}
		for i < n && (j == m || !bytes.Equal(before[i], after[j])) || j < m && (i == n || !bytes.Equal(before[i], after[j])) {
			if j == m || i < n && common[i-from+1][j-from] >= common[i-from][j-from+1] {
				i++
			} else {
				j++
			}
		}
		if b.baseTo, b.headTo = i, j; b.baseFrom < i || b.headFrom < j {
			out = append(out, b)
		}
		for i < n && j < m && bytes.Equal(before[i], after[j]) {
			i, j = i+1, j+1
		}
	}
	return out
}
