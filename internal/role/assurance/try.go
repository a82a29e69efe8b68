package assurance

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/generator"
)

// attempts are the versions of one candidate.
type attempts struct {
	*Chain
	tried []generator.Candidate // the first one is what was asked for
	told  *generator.Candidate  // the first version that failed by what it expects
	bent  bool                  // the last one feeds or expects something else than told
}

// try takes one candidate through the gates up to G9, with repairs where the truth
// table allows them. A repair that is refused changes nothing, and the next one is
// asked for, with the reason; what is not mended then stays dropped.
func (c *Chain) try(ctx context.Context, cand generator.Candidate) (Verdict, error) {
	all := attempts{Chain: c, tried: []generator.Candidate{cand}}
	for repairs := 0; ; {
		now := all.tried[len(all.tried)-1]
		v := Verdict{Candidate: now, bent: all.bent, GeneratedTest: qa.GeneratedTest{
			Name: now.Name, Path: now.Path, Layer: now.Layer, Lane: now.Lane, Source: now.Source, Target: now.Target, Finding: now.Finding, Code: now.Code, Repairs: repairs, Origin: now.Origin,
		}}
		repairable, err := c.decide(ctx, &v)
		if err != nil || !repairable || c.Repair == nil {
			return v, err
		}
		if all.told == nil && v.Head.Bad() && !undefined.MatchString(v.Reason) {
			all.told = &v.Candidate
		}
		more, err := all.repaired(ctx, &v)
		if err != nil || !more {
			return v, err
		}
		repairs = v.Repairs
	}
}

const unchanged = "; the repair changed nothing"

// repaired asks for versions of a refused candidate until one may be tried. more says
// that there is one, the last of those tried.
func (a *attempts) repaired(ctx context.Context, v *Verdict) (more bool, err error) {
	for v.Repairs < a.MaxRepairs {
		fix, err := a.Repair(ctx, *v)
		if err != nil {
			v.Reason += "; no repair: " + err.Error()
			return false, nil
		}
		if fix.Product {
			return false, a.suspect(ctx, v)
		}
		v.Repairs++
		again := func(o generator.Candidate) bool { return reflect.DeepEqual(o, fix.Candidate) }
		refused, _ := a.guard(a.tried[0], fix.Candidate)
		switch {
		case refused != "":
			v.Reason += "; the repair was refused: " + refused
		case again(v.Candidate):
			if !strings.HasSuffix(v.Reason, unchanged) {
				v.Reason += unchanged
			}
		case slices.ContainsFunc(a.tried, again):
			v.Reason += "; the repair is a version that was tried"
		default:
			// Before a version came to what it expects there was nothing to bend to.
			if a.told != nil {
				_, a.bent = a.guard(*a.told, fix.Candidate)
			}
			a.tried = append(a.tried, fix.Candidate)
			return true, nil
		}
	}
	return false, nil
}
