package sum

import (
	"fmt"
	"os"
	"testing"
)

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Error("wrong")
	}
}

func TestFails(t *testing.T) {
	fmt.Print("printed without a line end")
	t.Log("a log line")
	t.Errorf("got %d, want %d", Add(1, 2), 4)
	t.Error("a second failure")
}

func TestSkips(t *testing.T) { t.Skip("not now") }

func TestTable(t *testing.T) {
	for _, name := range []string{"one", "two words", "ünï/slash", "bad"} {
		t.Run(name, func(t *testing.T) {
			t.Run("deep", func(t *testing.T) {
				t.Parallel()
				if name == "bad" {
					t.Fatal("bad one")
				}
			})
		})
	}
}

func TestParentItself(t *testing.T) {
	t.Run("child passes", func(t *testing.T) {})
	t.Error("the parent's own failure")
}

func TestFlaky(t *testing.T) {
	if _, err := os.Stat(os.Getenv("MARK")); err == nil {
		return
	}
	os.WriteFile(os.Getenv("MARK"), nil, 0o600)
	t.Error("fails the first time")
}

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 3
}

func FuzzAdd(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) {})
}

func BenchmarkAdd(b *testing.B) {
	for range b.N {
		Add(1, 2)
	}
}
