package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// ordeal is one kind of work that is killed somewhere and then done again.
type ordeal struct {
	share int // of a hundred instants
	// calm does the work undisturbed and gives where it was done, before it was.
	calm func(t *testing.T) *patient
}

// patient is a place where work is done, which can be had again and again.
type patient struct {
	dir   string // as it was before
	args  []string
	begin func(t *testing.T, v victim) bedside
	files []string // that the work makes, in the session
	steps int      // requests of the undisturbed work
	whole time.Duration
	want  map[string]any
}

// bedside is one copy of that place.
type bedside struct {
	victim
	again    func()                // what a user does after a kill
	left     func() map[string]any // what is there in the end
	requests func() int            // so far; nil where nothing is asked for
}

var ordeals = map[string]ordeal{
	"run":     {30, calmRun},
	"rounds":  {22, calmRounds},
	"merge":   {22, calmMerge},
	"posting": {16, calmPosting},
	"handing": {10, calmHanding},
}

// TestKilledAtRandomInstants kills work of every kind at random instants: some
// time after its beginning, after a file of its session appeared, or after a
// request to GitHub. What is there after doing the same again must equal
// undisturbed work. QA_SEED repeats the instants of an earlier test.
func TestKilledAtRandomInstants(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1, and QA_DEEP=1 for all instants")
	}
	t.Parallel()
	deep := fixture.Deep()
	seed := uint64(1)
	if deep { // the same instants every time look for nothing new
		seed = uint64(time.Now().UnixNano()) //nolint:gosec // any number will do
	}
	if text := os.Getenv("QA_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		mustDo(t, err)
		seed = n
	}
	for name, o := range ordeals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := o.share
			if !deep {
				if n = 1; name == "handing" || name == "rounds" || name == "run" {
					t.Skip("set QA_DEEP=1: TestKilledAtAnyInstant and TestKilledInsideRounds take some instants of their own")
				}
			}
			p := o.calm(t)
			met := make(chan string, n)
			t.Run("instants", func(t *testing.T) {
				for i := range n {
					t.Run(fmt.Sprint(i), func(t *testing.T) {
						t.Parallel()
						if p.kill(t, rand.New(rand.NewPCG(seed, uint64(i))), i) { //nolint:gosec // not a secret
							met <- t.Name()
						}
					})
				}
			})
			t.Logf("%d of %d instants were met, QA_SEED=%d", len(met), n, seed)
			if deep && len(met) < n/2 { // of a few, a busy machine may miss all
				t.Errorf("only %d of %d instants were met", len(met), n)
			}
		})
	}
}

// kill does the work, kills it, does it again and looks; false where it ended
// first.
func (p *patient) kill(t *testing.T, random *rand.Rand, nth int) bool {
	v := victim{t: t, dir: filepath.Join(t.TempDir(), "project")}
	mustDo(t, os.CopyFS(v.dir, os.DirFS(p.dir)))
	b := p.begin(t, v)
	what, moment := p.instant(b, random, nth)
	hit, _ := until(t, b.start(p.args...), syscall.SIGKILL, moment)
	if !b.finished() {
		b.again()
	}
	if diff := cmp.Diff(p.want, b.left()); diff != "" {
		t.Errorf("killed %s: differs from undisturbed work (-undisturbed +again):\n%s", what, diff)
	}
	return hit
}

// finished says that there is nothing left to be done again: the kill came after
// all work.
func (v victim) finished() bool {
	v.t.Helper()
	known, err := session.List(output.At(v.out()))
	mustDo(v.t, err)
	return slices.ContainsFunc(known, func(k session.Summary) bool { return k.Broken == nil && k.Meta.State == session.Finished })
}

// instant draws a moment.
func (p *patient) instant(b bedside, random *rand.Rand, nth int) (what string, there func() bool) {
	late := time.Duration(random.Int64N(int64(150 * time.Millisecond)))
	after := func(name string, begun func() bool) (string, func() bool) {
		var at time.Time
		return fmt.Sprintf("%v after %s", late, name), func() bool {
			if at.IsZero() && begun() {
				at = time.Now().Add(late)
			}
			return !at.IsZero() && time.Now().After(at)
		}
	}
	switch {
	case b.requests != nil && nth%3 != 0:
		n := 1 + random.IntN(p.steps)
		return after(fmt.Sprintf("request %d", n), func() bool { return b.requests() >= n })
	case nth%2 == 0:
		at := time.Duration(random.Int64N(int64(p.whole)))
		end := time.Now().Add(at)
		return fmt.Sprintf("after %v of %v", at, p.whole), func() bool { return time.Now().After(end) }
	}
	name := p.files[random.IntN(len(p.files))]
	return after("file "+name, func() bool {
		found, _ := filepath.Glob(filepath.Join(b.out(), "*", filepath.FromSlash(name)))
		return len(found) > 0
	})
}

// observe does the work undisturbed, for the second time: what the first one
// compiles is there for those that are killed, and their instants are drawn from a
// time like theirs.
func observe(t *testing.T, p *patient, v victim) *patient {
	t.Helper()
	p.dir = filepath.Join(t.TempDir(), "before")
	mustDo(t, os.CopyFS(p.dir, os.DirFS(v.dir)))
	first := victim{t: t, dir: filepath.Join(t.TempDir(), "project")}
	mustDo(t, os.CopyFS(first.dir, os.DirFS(v.dir)))
	p.begin(t, first).qa(p.args...)
	b := p.begin(t, v)
	began := time.Now()
	res := b.qa(p.args...)
	p.whole, p.want = time.Since(began), b.left()
	p.files = filesBelow(t, v.out())
	if b.requests != nil {
		p.steps = b.requests()
	}
	t.Logf("undisturbed: %v, %d files, %d requests, exit code %d", p.whole.Round(time.Millisecond), len(p.files), p.steps, res.ExitCode)
	return p
}

func calmRun(t *testing.T) *patient {
	return observe(t, &patient{args: arguments("run", victimTests), begin: func(_ *testing.T, v victim) bedside {
		return bedside{victim: v, again: v.goOn, left: v.outcome}
	}}, newVictim(t))
}

func calmRounds(t *testing.T) *patient {
	g := newGrader(t)
	return observe(t, &patient{args: g.arguments("run"), begin: func(_ *testing.T, v victim) bedside {
		v.more = g.more
		copied := grader{victim: v, till: g.till, url: g.url}
		return bedside{victim: v, again: copied.goOn, left: copied.result}
	}}, g.victim)
}

// calmMerge joins the shards of two packages, for one of which a model wrote
// tests.
func calmMerge(t *testing.T) *patient {
	g := newPackages(t, "alpha", "beta")
	for i, name := range []string{"alpha", "beta"} {
		args := append(g.arguments("run"), "--quiet", "--history", "none", "--working-directory", name)
		g.qa(args...)
		mustDo(t, os.CopyFS(filepath.Join(g.dir, "downloaded", fmt.Sprint(i)), os.DirFS(g.out())))
		mustDo(t, os.RemoveAll(g.out()))
	}
	args := append(g.arguments("merge"), "--quiet", "--expect", "2", "downloaded")
	return observe(t, &patient{args: args, begin: func(t *testing.T, v victim) bedside {
		v.more = g.more
		copied := grader{victim: v, till: g.till, url: g.url}
		return bedside{victim: v, left: func() map[string]any {
			out := copied.result()
			raw, err := os.ReadFile(onlyPatch(t, v))
			mustDo(t, err)
			out["patch"] = string(raw)
			return out
		}, again: func() {
			if res := v.qa(args...); res.ExitCode != 0 {
				t.Fatalf("exit code %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
			}
		}}
	}}, g.victim)
}

// onlyPatch finds the patch of the newest session that has one.
func onlyPatch(t *testing.T, v victim) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(v.out(), "qa-*", "generated-tests.patch"))
	mustDo(t, err)
	if len(found) == 0 {
		t.Fatal("no patch")
	}
	return found[len(found)-1]
}

// tidy is a text of a run without what tells which run it was.
func tidy(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "<!-- sha256:") && !strings.HasPrefix(line, "<!-- qa-action:carry:") && !strings.HasPrefix(line, "- model ") && !strings.HasPrefix(line, "- time: ") {
			kept = append(kept, clocks.ReplaceAllString(sessionNames.ReplaceAllString(line, "SESSION"), "TIME"))
		}
	}
	return strings.Join(kept, "")
}
