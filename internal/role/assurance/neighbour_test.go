package assurance

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/role/executor"
	"github.com/org/qa-action/internal/role/generator"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// stage is a tree with one test file, in which go test is played: the tests of
// the file run in the order that the command asks for, and do what acts says.
type stage struct {
	dir, results string
	runs         map[string]int // of each test
	argv         []string       // of the run
	// acts say whether a test passes, from the tests that ran before it and
	// how often it ran until now.
	acts map[string]func(before []string, run int) bool
	// ends says that a test ends all of them, in the order of a seed.
	ends func(name string, seed int64) bool
	// says is why a test fails.
	says func() string
}

func (s *stage) Dir() string     { return s.dir }
func (s *stage) Results() string { return s.results }
func (s *stage) Write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(s.dir, name), data, 0o600)
}
func (s *stage) Remove(name string) error { return os.Remove(filepath.Join(s.dir, name)) }

var declared = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// order is that of the tests in a file under a seed; go test -shuffle does the
// same with it.
func order(text string, seed int64) []string {
	var out []string
	for _, m := range declared.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	if seed != 0 {
		rand.New(rand.NewSource(seed)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

func (s *stage) Run(_ context.Context, c runtime.Command) (process.Result, error) {
	raw, err := os.ReadFile(filepath.Join(s.dir, "p_test.go"))
	if err != nil {
		return process.Result{}, err
	}
	s.argv = c.Argv
	var seed int64
	only := regexp.MustCompile("")
	for i, arg := range c.Argv {
		if text, ok := strings.CutPrefix(arg, "-shuffle="); ok {
			seed, _ = strconv.ParseInt(text, 10, 64)
		}
		if arg == "-run" {
			only = regexp.MustCompile(c.Argv[i+1])
		}
	}
	var said strings.Builder
	var before []string
	verdict := "pass"
	for _, name := range order(string(raw), seed) {
		if !only.MatchString(name) {
			continue
		}
		s.runs[name]++
		if s.ends != nil && s.ends(name, seed) {
			fmt.Fprintf(&said, "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":%q}\n", name)
			verdict = "fail"
			break
		}
		action := "pass"
		if act := s.acts[name]; act != nil && !act(before, s.runs[name]) {
			action, verdict = "fail", "fail"
			if s.says != nil {
				fmt.Fprintf(&said, "{\"Action\":\"output\",\"Package\":\"p\",\"Test\":%q,\"Output\":%q}\n", name, "    p_test.go:3: "+s.says()+"\n")
			}
		}
		before = append(before, name)
		fmt.Fprintf(&said, "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":%q}\n{\"Action\":%q,\"Package\":\"p\",\"Test\":%q}\n", name, action, name)
	}
	fmt.Fprintf(&said, "{\"Action\":%q,\"Package\":\"p\"}\n", verdict)
	return process.Result{}, os.WriteFile(c.Stdout, []byte(said.String()), 0o600)
}

const neighbours = "package p\n\nimport \"testing\"\n\nfunc TestSets(t *testing.T) {}\n\n" +
	"func TestOne(t *testing.T) {}\n\nfunc TestReads(t *testing.T) {}\n\nfunc TestTwo(t *testing.T) {}\n"

// TestNeighbours: a test is blamed for what its neighbours do only when they do
// it with it every time, and never without.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	ran := func(before []string, name string) bool { return slices.Contains(before, name) }
	for name, tc := range map[string]struct {
		acts map[string]func(before []string, run int) bool
		gate string
		ends func(name string, seed int64) bool
	}{
		"a neighbour that ends all in any order but its own": {nil, "", func(name string, seed int64) bool { return seed != 0 && name != "TestNew" }},
		"a neighbour that ends all in one order":             {nil, "", func(name string, seed int64) bool { return seed == 1 && name != "TestNew" }},
		"a candidate that ends all":                          {nil, "G5", func(name string, seed int64) bool { return seed != 0 && name == "TestNew" }},
		"a neighbour that its own order breaks": {map[string]func([]string, int) bool{
			"TestReads": func(before []string, _ int) bool { return ran(before, "TestSets") },
		}, "", nil},
		"a neighbour that fails now and then": {map[string]func([]string, int) bool{
			"TestReads": func(_ []string, run int) bool { return run%3 != 1 },
		}, "", nil},
		"a neighbour that the candidate breaks": {map[string]func([]string, int) bool{
			"TestSets": func(before []string, _ int) bool { return !ran(before, "TestNew") },
		}, "G6", nil},
		"a neighbour that the candidate breaks, beside one that fails now and then": {map[string]func([]string, int) bool{
			"TestSets":  func(before []string, _ int) bool { return !ran(before, "TestNew") },
			"TestReads": func(_ []string, run int) bool { return run%3 != 1 },
		}, "G6", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := &stage{dir: t.TempDir(), results: t.TempDir(), acts: tc.acts, ends: tc.ends, runs: map[string]int{}}
			c := &Chain{
				Target: executor.Target{Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: ".", Tools: adapter.Tools{Program: []string{"go"}}, Extent: adapter.Extent{Packages: []string{"./..."}}}},
				Trees:  Trees{Head: tree, Read: func(string) ([]byte, error) { return []byte(neighbours), nil }},
				Keep:   fixture.Place(t, t.TempDir()), Repeat: 2,
			}
			v := &Verdict{Candidate: generator.Candidate{Path: "p_test.go", Test: generator.Test{Code: "func TestNew(t *testing.T) {}\n"}}}
			v.Path, v.placed = "p_test.go", []byte(neighbours+"\nfunc TestNew(t *testing.T) {}\n")
			assert.NilError(t, tree.Write(v.Path, v.placed))
			head, err := c.outcome(t.Context(), tree, v, "TestNew")
			assert.NilError(t, err)
			ok, err := trial{c, v, "TestNew", head}.steady(t.Context())
			assert.NilError(t, err)
			assert.Equal(t, ok, tc.gate == "", v.Reason)
			assert.Equal(t, v.Gate, tc.gate, v.Reason)
			if !ok {
				assert.Assert(t, tc.ends != nil || strings.HasSuffix(v.Reason, "makes p > TestSets fail"), v.Reason)
				return
			}
			left, err := os.ReadFile(filepath.Join(tree.dir, v.Path))
			assert.NilError(t, err)
			assert.Equal(t, string(left), string(v.placed))
		})
	}
}

// TestNeighboursOrder: what the first case above stands for. With one test more
// the same seed gives an order that breaks the neighbour and that the file alone
// does not have; another of the seeds that are tried shows the neighbour at
// fault.
func TestNeighboursOrder(t *testing.T) {
	t.Parallel()
	breaks := func(text string, seed int64) bool {
		all := order(text, seed)
		return slices.Index(all, "TestReads") < slices.Index(all, "TestSets")
	}
	assert.Assert(t, breaks(neighbours+"\nfunc TestNew(t *testing.T) {}\n", 1))
	assert.Assert(t, !breaks(neighbours, 1))
	shown := 0
	for seed := int64(2); seed <= orders; seed++ {
		if breaks(neighbours, seed) {
			shown++
		}
	}
	assert.Assert(t, shown > 0)
}

// TestAtOnce: a test that does not pass while others run is dropped, where the framework
// runs several files at a time; of these no others are held against it.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		beside []string
		gate   string
	}{
		"with others":                   {[]string{"p_test.go", "q/q_test.go"}, "G5"},
		"of a suite with no other file": {[]string{"p_test.go"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := &stage{dir: t.TempDir(), results: t.TempDir(), runs: map[string]int{}}
			tree.acts = map[string]func([]string, int) bool{"TestNew": func([]string, int) bool { return !slices.Contains(tree.argv, "-parallel=4") }}
			assert.NilError(t, os.Mkdir(filepath.Join(tree.dir, "q"), 0o700))
			assert.NilError(t, tree.Write("q/q_test.go", []byte("package q\n\nfunc TestOther(t *testing.T) {}\n")))
			c := &Chain{
				Target: executor.Target{Dir: ".", Framework: adapter.Detection{Framework: "gotest", Dir: ".", Tools: adapter.Tools{Program: []string{"go"}}, Extent: adapter.Extent{Packages: []string{"./..."}}}},
				Trees:  Trees{Head: tree, Beside: tc.beside, Read: func(string) ([]byte, error) { return []byte(neighbours), nil }},
				Keep:   fixture.Place(t, t.TempDir()), Repeat: 1,
			}
			v := &Verdict{Candidate: generator.Candidate{Path: "p_test.go", Test: generator.Test{Code: "func TestNew(t *testing.T) {}\n"}}}
			v.Path, v.placed = "p_test.go", []byte(neighbours+"\nfunc TestNew(t *testing.T) {}\n")
			assert.NilError(t, tree.Write(v.Path, v.placed))
			head, err := c.outcome(t.Context(), tree, v, "TestNew")
			assert.NilError(t, err)
			_, err = trial{c, v, "TestNew", head}.steady(t.Context())
			assert.NilError(t, err)
			assert.Equal(t, v.Gate, tc.gate, v.Reason)
			assert.Equal(t, strings.HasPrefix(v.Reason, "at once with other test files: failed"), tc.gate != "", v.Reason)
		})
	}
}

func (*stage) Prepare(context.Context, runtime.Command) (process.Result, error) {
	return process.Result{}, nil
}
func (*stage) Afresh(context.Context) error                   { return nil }
func (*stage) Prepared() runtime.Prepared                     { return runtime.Prepared{} }
func (*stage) Dependencies() runtime.Dependencies             { return runtime.Dependencies{} }
func (*stage) MarkReads(context.Context, ...string) error     { return nil }
func (*stage) Reads(context.Context) (runtime.Reads, error)   { return runtime.Reads{}, nil }
func (*stage) OwnElsewhere(...string) []runtime.Elsewhere     { return nil }
func (*stage) Local(to io.Writer) io.WriteCloser              { return process.NewRedactor(nil).Writer(to) }
func (*stage) Digest(context.Context) (runtime.Digest, error) { return nil, nil }
