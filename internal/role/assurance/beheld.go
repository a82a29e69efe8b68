package assurance

import (
	"context"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/mutant"
	"github.com/org/qa-action/internal/source/outline"
)

// mostBeheld is on how many mutants one proof is run.
const mostBeheld = 6

// beholds notes the living mutants of the function under test that a proof notices: with
// them it fails otherwise than it does, or passes. It is not kept, so that they live as
// before; but with the mend it notices them, and no other test is asked for that does.
func (t trial) beholds(ctx context.Context) error {
	if t.Repair == nil || t.Options.Races { // nobody is asked again, or every run is a long one
		return nil
	}
	src, err := t.Read(t.v.Candidate.Source)
	if err != nil {
		return nil //nolint:nilerr // a file that is gone has no mutants
	}
	parsed, err := outline.Parse(t.v.Candidate.Source, src)
	if err != nil {
		return nil //nolint:nilerr // nor has one that cannot be read
	}
	under, _ := each.First(parsed.Functions, func(f qa.Function) bool { return f.Name == t.v.Target })
	mine := each.Where(t.Mutants, func(m mutant.Mutant) bool {
		at := t.v.Candidate.At
		named := at != nil && at.Path == m.Path && at.Lines.Contains(m.Line) // nobody is asked about those
		return m.Path == t.v.Candidate.Source && under.Lines.Contains(m.Line) && !named
	})
	for _, m := range mine[:min(len(mine), mostBeheld)] {
		if standing, err := t.standing(m.Path); err != nil || !fits(m, src, standing) {
			continue
		}
		o, settled, err := t.noticed(ctx, m)
		if err != nil {
			return err
		}
		if settled && otherwise(t.head, o) {
			t.v.Beheld = append(t.v.Beheld, m.ID)
		}
	}
	return nil
}

// otherwise reports that a test which fails does not do so in the same way with a mutant,
// and that no crash makes the difference.
func otherwise(head, mutated outcome) bool {
	return mutated.status == qa.Passed || mutated.status == qa.Failed && !mutated.late && !mutated.crashed() && mutated.why != "" && mutated.why != head.why
}
