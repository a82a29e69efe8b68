package pipeline

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWaves(t *testing.T) {
	t.Parallel()
	waves, err := Waves([]Task[string]{
		did("SCOUT", 0), did("PLAN", 0, "SCOUT"), did("GEN-L1", 0, "PLAN"), did("GEN-L2", 0, "PLAN"),
		did("RUN-L1", 0, "GEN-L1"), did("RUN-L2", 0, "GEN-L2"), did("ANA", 0, "RUN-L1", "RUN-L2"), did("SCOUT-2", 0, "ANA"),
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, fmt.Sprint(waves), "[[SCOUT] [PLAN] [GEN-L1 GEN-L2] [RUN-L1 RUN-L2] [ANA] [SCOUT-2]]")
}

func TestValidateNamesEveryProblemInOrder(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		tasks []Task[string]
		want  string
	}{
		"all at once": {
			[]Task[string]{did("a", 0, "a"), did("a", 0), did("", 0, "zz"), {ID: "n", After: []string{"yy"}}},
			`invalid plan: duplicate id a; task 3 has no id; n has nothing to run; a depends on itself;  depends on unknown task "zz"; n depends on unknown task "yy"`,
		},
		"circle": {
			[]Task[string]{did("free", 0), did("x", 0, "free", "c"), did("a", 0, "b"), did("b", 0, "free", "c"), did("c", 0, "a")},
			"invalid plan: circle: c → a → b → c",
		},
		"two": {[]Task[string]{did("a", 0, "b"), did("b", 0, "a")}, "invalid plan: circle: a → b → a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Waves(tc.tasks)
			if err == nil {
				t.Fatal("no error")
			}
			compare(t, err.Error(), tc.want)
		})
	}
}

// Every task of any acyclic graph runs once, after its dependencies, and in
// the earliest wave that allows it.
func TestWavesOfAnyGraph(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "tasks")
		tasks := make([]Task[string], n)
		for i := range tasks {
			var needs []string
			if i > 0 {
				for _, d := range rapid.SliceOfNDistinct(rapid.IntRange(0, i-1), 0, min(i, 3), rapid.ID[int]).Draw(t, "deps") {
					needs = append(needs, fmt.Sprint("t", d))
				}
			}
			tasks[i] = did(fmt.Sprint("t", i), 0, needs...)
		}
		shuffled := rapid.Permutation(tasks).Draw(t, "order")
		waves, err := Waves(shuffled)
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{}
		for w, ids := range waves {
			for _, id := range ids {
				if _, twice := at[id]; twice {
					t.Fatalf("%s runs twice", id)
				}
				at[id] = w + 1
			}
		}
		if len(at) != n {
			t.Fatalf("%d of %d tasks have a wave", len(at), n)
		}
		for _, task := range tasks {
			want := 1
			for _, d := range task.Needs {
				want = max(want, at[d]+1)
			}
			if at[task.ID] != want {
				t.Fatalf("%s is in wave %d, want %d", task.ID, at[task.ID], want)
			}
		}
		// Closing any chain of two or more makes a circle, whatever the order.
		if len(waves) > 1 {
			last := waves[len(waves)-1][0]
			first := last
			for at[first] > 1 {
				i := slices.IndexFunc(shuffled, func(x Task[string]) bool { return x.ID == first })
				first = shuffled[i].Needs[0]
			}
			i := slices.IndexFunc(shuffled, func(x Task[string]) bool { return x.ID == first })
			shuffled[i].Needs = []string{last}
			if _, err := Waves(shuffled); err == nil {
				t.Fatalf("%s needs %s and no circle is found", first, last)
			}
		}
	})
}
