package history

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
)

var noon = time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ran(id, sha string, date time.Time, cases ...qa.Case) Run {
	return Run{ID: id, SHA: sha, Ref: "main", Date: date, Default: true, Cases: cases, Point: qa.TrendPoint{Date: day(date), SHA: sha}}
}

func test(name string, status qa.Status, seconds float64) qa.Case {
	return qa.Case{Suite: "s", Name: name, Status: status, Seconds: seconds}
}

func TestFlakyTests(t *testing.T) {
	t.Parallel()
	b := New()
	rate := func(name string, after time.Duration) string {
		r := b.FlakyRate("s > "+name, noon.Add(after))
		if r == nil {
			return "not flaky"
		}
		return fmt.Sprintf("%.2f", *r)
	}
	b.Record(ran("1", "c1", noon, test("flip", qa.Passed, 1), test("inside", qa.Flaky, 1), test("changed", qa.Passed, 1), test("off", qa.Skipped, 0)))
	b.Record(ran("2", "c1", noon, test("flip", qa.Failed, 2), test("inside", qa.Passed, 1)))
	b.Record(ran("3", "c2", noon, test("changed", qa.Failed, 1)))
	b.Record(ran("3", "c2", noon, test("changed", qa.Passed, 1))) // the same run again counts once
	for name, want := range map[string]string{"flip": "0.50", "inside": "0.50", "changed": "not flaky", "off": "not flaky", "unheard of": "not flaky"} {
		if got := rate(name, time.Hour); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := rate("flip", 31*24*time.Hour); got != "not flaky" {
		t.Errorf("after a month it is still %s", got)
	}
	for i := range recentRuns {
		b.Record(ran(fmt.Sprint("r", i), fmt.Sprint("d", i), noon, test("flip", qa.Passed, 1)))
	}
	if got := rate("flip", time.Hour); got != "not flaky" {
		t.Errorf("after %d good runs it is still %s", recentRuns, got)
	}
	if _, ok := b.Tests["s > off"]; ok {
		t.Error("a test that never ran has a duration")
	}
	if s := b.Tests["s > inside"].Seconds; s != 1 {
		t.Errorf("duration %v", s)
	}
}

// Two packages may have a test of one name: that one passes where the other
// fails excuses neither, nor does what was known before there were two.
func TestNamesOfSeveralTestsAreNotFlaky(t *testing.T) {
	t.Parallel()
	b := New()
	b.Record(ran("1", "c1", noon, test("one", qa.Flaky, 1)))
	if b.FlakyRate("s > one", noon) == nil {
		t.Error("a flaky test is not known")
	}
	for i := range 2 {
		b.Record(ran(fmt.Sprint("r", i), "c2", noon, test("one", qa.Passed, 1), test("one", qa.Failed, 1)))
		if rate := b.FlakyRate("s > one", noon); rate != nil {
			t.Errorf("known as flaky in %v of runs", *rate)
		}
	}
}

func TestOtherBranchesChangeOnlyTheirLedger(t *testing.T) {
	t.Parallel()
	b := New()
	r := ran("1", "c1", noon, test("x", qa.Flaky, 1))
	r.Default, r.Ref, r.Patterns = false, "pr/7", []qa.Pattern{{Type: "null_reference"}}
	r.Ledger = Ledger{Head: "c1"}
	b.Record(r)
	if len(b.Tests)+len(b.History)+len(b.Patterns) != 0 || b.Ledgers["pr/7"].Head != "c1" {
		t.Errorf("got %+v", b)
	}
}

func TestPatternsAgeOut(t *testing.T) {
	t.Parallel()
	b := New()
	for i, files := range [][]string{{"a.go"}, {"b.go", "a.go"}} {
		r := ran(fmt.Sprint(i), "c", noon.AddDate(0, 0, i))
		r.Patterns = []qa.Pattern{{Type: "null_reference", Count: 2 + i, Files: files}}
		b.Record(r)
	}
	want := []PatternTrace{{
		Pattern: qa.Pattern{Type: "null_reference", Count: 3, Files: []string{"a.go", "b.go"}}, Runs: 2,
		First: "2026-03-08T12:00:00Z", Last: "2026-03-09T12:00:00Z",
	}}
	if diff := cmp.Diff(want, b.KnownPatterns(noon.AddDate(0, 3, 0))); diff != "" {
		t.Error(diff)
	}
	if got := b.KnownPatterns(noon.AddDate(1, 0, 0)); got != nil {
		t.Errorf("after a year: %v", got)
	}
}

func TestQuarantineEnds(t *testing.T) {
	t.Parallel()
	const last = "2026-03-08"
	for _, tc := range []struct {
		expires string
		day     time.Time
		want    bool
	}{
		{last, noon, true}, {last, noon.Add(11 * time.Hour), true}, {last, noon.Add(12 * time.Hour), false},
		{"some day", noon, false}, {"", noon, false},
	} {
		if got := Holds(tc.expires, tc.day); got != tc.want {
			t.Errorf("until %q on %s: %t", tc.expires, tc.day, got)
		}
	}
}

func TestBooksAreBoundedAndReadBackEqual(t *testing.T) {
	t.Parallel()
	b := New()
	for i := range maxPoints + 10 {
		r := ran(fmt.Sprint(i), fmt.Sprint("c", i), noon.Add(time.Duration(i)*time.Hour))
		r.Ref = fmt.Sprint("b", i)
		b.Record(r)
	}
	if len(b.History) != maxPoints || b.History[0].SHA != "c10" || len(b.Ledgers) != maxLedgers || len(b.Runs) != maxPoints+10 {
		t.Errorf("%d points from %s, %d ledgers, %d runs", len(b.History), b.History[0].SHA, len(b.Ledgers), len(b.Runs))
	}
	many := map[string]TestTrace{}
	for i := range 10 {
		many[fmt.Sprint(i)] = TestTrace{Last: fmt.Sprint(i / 2)}
	}
	keepNewest(many, 3, func(t TestTrace) string { return t.Last })
	if diff := cmp.Diff(map[string]TestTrace{"8": {Last: "4"}, "9": {Last: "4"}, "6": {Last: "3"}}, many); diff != "" {
		t.Error(diff)
	}
	data, err := b.Encode()
	check(t, err)
	back, err := decode(data)
	check(t, err)
	if diff := cmp.Diff(b, back); diff != "" {
		t.Error(diff)
	}
}

func TestUnreadableBooksAreNeverOverwritten(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"torn": `{"schema":1,"runs":[`, "newer": `{"schema":2}`, "other": `[]`, "no schema": `{"schema":0}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := t.TempDir()
			file := filepath.Join(path, File)
			check(t, os.WriteFile(file, []byte(content), 0o644))
			_, err := Add(t.Context(), Dir(output.At(path)), ran("1", "c", noon))
			if want := new(UnreadableError); !errors.As(err, &want) {
				t.Errorf("error %v", err)
			}
			after, err := os.ReadFile(file)
			check(t, err)
			if string(after) != content {
				t.Errorf("became %s", after)
			}
		})
	}
}

// Writers at the same time, each with its own branch and all with one: no run
// is lost.
func TestConcurrentWritersLoseNothing(t *testing.T) {
	t.Parallel()
	const writers, runs = 6, 5
	path := filepath.Join(t.TempDir(), "history")
	var group sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			for n := range runs {
				r := ran(fmt.Sprintf("w%d-%d", w, n), fmt.Sprintf("c%d-%d", w, n), noon, test(fmt.Sprint(w), qa.Passed, 1))
				r.Ledger = Ledger{Head: r.SHA, Before: "unknown", Date: day(noon), Entries: []Entry{{Fingerprint: r.ID}}}
				if _, err := Add(t.Context(), Dir(output.At(path)), r); err != nil {
					errs[w] = err
					return
				}
			}
		})
	}
	group.Wait()
	check(t, errors.Join(errs...))
	b, err := Read(t.Context(), Dir(output.At(path)))
	check(t, err)
	if len(b.Runs) != writers*runs || len(b.History) != writers*runs || len(b.Tests) != writers {
		t.Errorf("%d runs, %d points, %d tests", len(b.Runs), len(b.History), len(b.Tests))
	}
	if n := len(b.Ledgers["main"].Entries); n != writers*runs {
		t.Errorf("the ledger has %d entries, want %d", n, writers*runs)
	}
}

// busy is a store in which somebody always saves first.
type busy struct{ saves int }

func (b *busy) Load(context.Context) ([]byte, string, error) { return nil, "", nil }
func (b *busy) Save(context.Context, []byte, string) error   { b.saves++; return ErrConflict }

func TestAddGivesUp(t *testing.T) {
	t.Parallel()
	s := &busy{}
	if _, err := Add(t.Context(), s, ran("1", "c", noon)); !errors.Is(err, ErrConflict) || s.saves != 20 {
		t.Errorf("error %v after %d tries", err, s.saves)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Add(ctx, s, ran("1", "c", noon)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	b, err := Add(t.Context(), nil, ran("1", "c", noon))
	if err != nil || len(b.Runs) != 1 {
		t.Errorf("without a store: %v", err)
	}
}

func TestStoresRefuseWhatIsNoFile(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	check(t, os.Symlink("/etc/passwd", filepath.Join(path, File)))
	if _, err := Read(t.Context(), Dir(output.At(path))); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("error %v", err)
	}
	file := filepath.Join(path, "file")
	check(t, os.WriteFile(file, nil, 0o644))
	if _, err := Add(t.Context(), Dir(output.At(filepath.Join(file, "x"))), ran("1", "c", noon)); err == nil {
		t.Error("a directory below a file was accepted")
	}
}

func TestBadge(t *testing.T) {
	t.Parallel()
	p := func(v float64) *float64 { return &v }
	for _, tc := range []struct {
		percent      *float64
		text, colour string
	}{
		{p(99.99), ">99 %<", "#1a7f37"}, {p(100), ">100 %<", "#1a7f37"}, {p(60), ">60 %<", "#9a6700"}, {p(0), ">0 %<", "#cf222e"},
		{p(100 * (29.0 / 100)), ">29 %<", "#cf222e"}, {p(100 * (57.0 / 100)), ">57 %<", "#cf222e"}, {p(59.999999), ">59 %<", "#cf222e"},
		{nil, ">unknown<", "#6e7781"}, {p(-5), ">0 %<", "#cf222e"},
	} {
		svg := string(Badge("patch <coverage> & \"more\"", tc.percent))
		if !strings.Contains(svg, tc.text) || !strings.Contains(svg, tc.colour) {
			t.Errorf("no %s in %s: %s", tc.text, tc.colour, svg)
		}
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
		if links := slices.DeleteFunc([]string{"href", "<image", "<script", "url(http"}, func(s string) bool { return !strings.Contains(svg, s) }); len(links) > 0 {
			t.Errorf("refers to something outside: %v", links)
		}
	}
}

func FuzzDecode(f *testing.F) {
	b := New()
	b.Record(ran("1", "c", noon, test("x", qa.Flaky, 1)))
	data, err := b.Encode()
	check(f, err)
	f.Add(data)
	f.Add([]byte(`{"schema":1,"tests":null,"ledgers":{"a":null},"defect_patterns":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := decode(data)
		if err != nil {
			return
		}
		r := ran("new run", "c", noon, test("x", qa.Passed, 1))
		r.Patterns = []qa.Pattern{{Type: "p"}}
		b.Record(r)
		if _, err := b.Encode(); err != nil {
			t.Error(err)
		}
	})
}

// A file of many short tests is worth its tests, not what their times were rounded to.
func TestDurationsCountTests(t *testing.T) {
	t.Parallel()
	b := New()
	for i := range 50 {
		b.Tests[fmt.Sprintf("tests/test_short.py > test_%d", i)] = TestTrace{Seconds: float64(i%2) / 1000}
	}
	b.Tests["tests/test_long.py > test_wait"] = TestTrace{Seconds: 2}
	got := b.Durations()
	if short, long := got["tests/test_short.py"], got["tests/test_long.py"]; short < 0.0749 || short > 0.0751 || long < 2 || long > 2.01 {
		t.Errorf("%v", got)
	}
}
