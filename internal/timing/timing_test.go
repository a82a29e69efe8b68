package timing

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPhasesAreAddedUpWithoutOverlap(t *testing.T) {
	t.Parallel()
	spans := []Span{
		{Phase: Head, Name: "all", Start: 0, End: 10},
		{Phase: Head, Name: "go", Start: 1, End: 4, Processor: 6},
		{Phase: Base, Name: "all", Start: 2, End: 5},
		{Phase: Head, Name: "again", Start: 20, End: 25},
		{Name: "git", Start: 30, End: 31, Processor: 1},
	}
	want := []Sum{{Phase: Head, Wall: 15, Processor: 6, Programs: 1}, {Phase: Base, Wall: 3}}
	if diff := cmp.Diff(want, Sums(spans)); diff != "" {
		t.Error(diff)
	}
}

func TestTraceNestsOrStandsBeside(t *testing.T) {
	t.Parallel()
	raw, err := Trace([]Span{
		{Name: "outer", Start: 0, End: 10}, {Name: "inner", Start: 1, End: 9}, {Name: "across", Start: 5, End: 12}, {Name: "later", Start: 10, End: 11},
	})
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Events []struct {
			Name string `json:"name"`
			Lane int    `json:"tid"`
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	lanes := map[string]int{}
	for _, e := range file.Events {
		lanes[e.Name] = e.Lane
	}
	if want := map[string]int{"outer": 0, "inner": 0, "across": 1, "later": 0}; !cmp.Equal(want, lanes) {
		t.Error(cmp.Diff(want, lanes))
	}
}

func TestWhatIsNoted(t *testing.T) {
	t.Parallel()
	ctx, end := Begin(context.Background(), Head, "nobody asked")
	Program(ctx, "go", time.Now(), 0)
	end()
	log := New()
	ctx, end = Begin(log.In(context.Background()), Install, "npm ci")
	Program(ctx, "npm", time.Now(), time.Second)
	end()
	Program(log.In(context.Background()), "git", time.Now(), 0)
	var got []Span
	for _, s := range log.spansByStart() {
		s.Start, s.End = 0, 0
		got = append(got, s)
	}
	want := []Span{{Phase: Install, Name: "npm ci"}, {Phase: Install, Name: "npm", Processor: time.Second}, {Name: "git", Processor: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
