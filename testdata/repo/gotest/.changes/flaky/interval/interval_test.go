package interval

import (
	"errors"
	"os"
	"reflect"
	"testing"
)

func TestNew(t *testing.T) {
	if _, err := New(5, 5); !errors.Is(err, ErrEmpty) {
		t.Fatalf("New(5, 5) = %v, want ErrEmpty", err)
	}
	if s, err := New(5, 6); err != nil || s != (Span{5, 6}) {
		t.Fatalf("New(5, 6) = %v, %v", s, err)
	}
}

func TestOverlaps(t *testing.T) {
	s := Span{10, 20}
	for name, c := range map[string]struct {
		other Span
		want  bool
	}{
		"inside":          {Span{12, 13}, true},
		"touches the end": {Span{20, 30}, false},
		"before (a/b)":    {Span{0, 10}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.Overlaps(c.other); got != c.want {
				t.Errorf("Overlaps(%v) = %v, want %v", c.other, got, c.want)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	got := Merge([]Span{{30, 40}, {0, 10}, {10, 20}, {5, 8}})
	want := []Span{{0, 20}, {30, 40}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Merge = %v, want %v", got, want)
	}
}

func TestLen(t *testing.T) {
	if got := (Span{5, 8}).Len(); got != 3 {
		t.Errorf("Len = %d, want 3", got)
	}
}

func TestWarmOnTheSecondRun(t *testing.T) {
	_, err := os.Stat("../.git/flaky-state")
	if writeErr := os.WriteFile("../.git/flaky-state", nil, 0o600); writeErr != nil {
		t.Fatal(writeErr)
	}
	if err != nil {
		t.Error("cold")
	}
}
