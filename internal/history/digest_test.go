package history

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// anyOrder is that of the tests of a suite.
var anyOrder = cmpopts.SortSlices(strings.Compare)

func full(tests, files, entries int) Digest {
	b := &Baseline{SHA: "c", Lines: &qa.Count{Covered: 1, Total: 2}, Files: map[string]qa.Count{}, Tests: &qa.Tally{Tests: tests}}
	var s Suite
	for i := range tests {
		s.Passed = append(s.Passed, fmt.Sprintf("suite %x > test %x", i*7919, i*104729))
	}
	b.Suites = map[string]Suite{".": s}
	for i := range files {
		b.Files[fmt.Sprintf("src/%x.ts", i*7919)] = qa.Count{Covered: i, Total: 2*i + 1}
	}
	l := &Ledger{Head: "c", Date: "2026"}
	for i := range entries {
		l.Entries = append(l.Entries, Entry{Fingerprint: fmt.Sprintf("%x", i*104729), Path: "a.go", Status: qa.StatusNew})
	}
	return Digest{Schema: Schema, Baseline: b, Ref: "pr/7", Ledger: l}
}

// What a run knows of its base goes before its own names do.
func TestBaseIsCarriedWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	d := full(20, 20, 20)
	base := MeasuredOnBase("b", map[string]Suite{".": {Key: "k", Failed: []string{"z", "y"}}}, &qa.Coverage{Lines: &qa.Count{Covered: 1, Total: 2}})
	d.Base = &base
	text, err := d.Pack(1 << 20)
	check(t, err)
	back, err := Unpack(text)
	check(t, err)
	if diff := cmp.Diff(d, back, cmpopts.EquateEmpty(), anyOrder); diff != "" {
		t.Error(diff)
	}
	tight, err := d.Pack(len(text) - 1)
	check(t, err)
	back, err = Unpack(tight)
	check(t, err)
	if back.Base != nil || back.Baseline == nil || back.Baseline.Cut {
		t.Errorf("%+v", back)
	}
}

// What was executed goes before all else, whole, and is never kept beyond its bound.
func TestExecutedIsCarriedWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	d := full(20, 20, 20)
	lines := &qa.Execution{Units: []string{"test_a.py"}, Files: map[string]map[string][]int{}}
	for i := range 500 {
		lines.Files[fmt.Sprintf("p%x.py", i*7919)] = map[string][]int{"test_a.py": {i * 3, i * 7}}
	}
	suite := Suite{Key: "k", Failed: []string{"z"}, Executed: lines}
	base := MeasuredOnBase("b", map[string]Suite{".": suite}, nil)
	d.Base, d.Baseline.Suites = &base, map[string]Suite{".": suite}
	text, err := d.Pack(1 << 20)
	check(t, err)
	back, err := Unpack(text)
	check(t, err)
	if diff := cmp.Diff(d, back, cmpopts.EquateEmpty(), anyOrder); diff != "" {
		t.Error(diff)
	}
	detailed := *lines
	detailed.Tests = map[string]qa.UnitTests{"test_a.py": {Names: []string{"test"}, Entered: map[string][][]int{"p1.py": {{3, 0, 1}}}}}
	suite.Executed = &detailed
	more := MeasuredOnBase("b", map[string]Suite{".": suite}, nil)
	d.Base = &more
	less, err := d.Pack(len(text))
	check(t, err)
	back, err = Unpack(less)
	check(t, err)
	if e := back.Base.Suites["."].Executed; e == nil || e.Details() > 0 || more.Suites["."].Executed.Details() == 0 {
		t.Errorf("single tests go first: %+v", e)
	}
	detailed.Tests["test_a.py"] = qa.UnitTests{Names: make([]string, maxDetails+1)}
	if e := more.Bounded().Suites["."].Executed; e == nil || e.Details() > 0 {
		t.Error("beyond the bound of single tests")
	}
	detailed.Tests = nil
	d.Base = &base
	tight, err := d.Pack(len(text) - 1)
	check(t, err)
	back, err = Unpack(tight)
	check(t, err)
	if back.Base == nil || back.Base.Suites["."].Executed != nil || back.Baseline.Suites["."].Executed != nil || back.Baseline.Suites["."].Key != "k" {
		t.Errorf("%+v", back)
	}
	if d.Base.Suites["."].Executed == nil {
		t.Error("what is packed is not what is kept")
	}
	if d.Baseline.Bounded().Suites["."].Executed == nil {
		t.Error("within the bound")
	}
	lines.Files["q.py"] = map[string][]int{"test_a.py": make([]int, maxExecuted)}
	if kept := d.Baseline.Bounded(); kept.Suites["."].Executed != nil || len(kept.Suites["."].Failed) == 0 {
		t.Error("beyond the bound")
	}
}

// TestDigestsGiveWhatFits: the most useful part stays.
func TestDigestsGiveWhatFits(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for _, tc := range []struct {
		digest Digest
		room   int
		want   string
	}{
		{full(20, 20, 20), 4 << 10, "20 tests, 20 files, ledger of 20"},
		{full(5000, 20, 20), 4 << 10, "cut, 20 files, ledger of 20"},
		{full(20, 5000, 20), 4 << 10, "cut, 0 files, ledger of 20"},
		{full(20, 20, 5000), 4 << 10, "cut, 0 files, no ledger"},
		{full(20, 20, 20), 10, "nothing"},
		{Digest{Ledger: &Ledger{}}, 4 << 10, "no baseline, ledger of 0"},
	} {
		before := fmt.Sprint(tc.digest.Baseline)
		text, err := tc.digest.Pack(tc.room)
		check(t, err)
		if len(text) > tc.room || strings.ContainsAny(text, "<>\n =+/") {
			t.Errorf("%d bytes: %.60s", len(text), text)
		}
		if got := says(t, text); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
		if fmt.Sprint(tc.digest.Baseline) != before {
			t.Error("packing changed the baseline")
		}
	}
	d := full(20, 20, 20)
	text, err := d.Pack(1 << 20)
	check(t, err)
	back, err := Unpack(text)
	check(t, err)
	if diff := cmp.Diff(d, back, anyOrder); diff != "" {
		t.Error(diff)
	}
}

func says(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		return "nothing"
	}
	d, err := Unpack(text)
	check(t, err)
	out := "no baseline"
	if b := d.Baseline; b != nil {
		out = "cut"
		if !b.Cut {
			out = fmt.Sprintf("%d tests", len(b.Suites["."].Passed))
		}
		out += fmt.Sprintf(", %d files", len(b.Files))
	}
	if d.Ledger == nil {
		return out + ", no ledger"
	}
	return out + fmt.Sprintf(", ledger of %d", len(d.Ledger.Entries))
}

func packed(t testing.TB, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(raw)
	check(t, err)
	check(t, z.Close())
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func TestBadDigests(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no base64": "<<<", "no gzip": "AAAA", "torn": packed(t, []byte(`{"schema":1}`))[:20], "no JSON": packed(t, []byte(`{`)),
		"newer": packed(t, []byte(`{"schema":9}`)), "a bomb": packed(t, make([]byte, maxUnpacked+1)),
		"impossible":              packed(t, []byte(`{"schema":1,"baseline":{"sha":"c","lines":{"covered":3,"total":2}}}`)),
		"an impossible base":      packed(t, []byte(`{"schema":1,"base":{"sha":"c","lines":{"covered":3,"total":2}}}`)),
		"outcomes of no names":    packed(t, []byte(`{"schema":1,"baseline":{"sha":"c"},"names":["0a"],"run":{".":"pp"}}`)),
		"outcomes of no run":      packed(t, []byte(`{"schema":1,"names":["0a"],"run":{".":"p"}}`)),
		"a name like none before": packed(t, []byte(`{"schema":1,"names":["1a"]}`)),
		"an empty name":           packed(t, []byte(`{"schema":1,"names":[""]}`)),
		"an impossible file":      packed(t, []byte(`{"schema":1,"baseline":{"sha":"c","files":{"a":{"covered":-1,"total":2}}}}`)),
	} {
		if d, err := Unpack(text); err == nil {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestDigestsOfLargeSuites: a run and its base have names and files in common, which are
// written once; what differs, stands twice or is no text comes back as it was.
func TestDigestsOfLargeSuites(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	files := func(of int) map[string]qa.Count {
		out := map[string]qa.Count{"shared.go": {Covered: 1, Total: of}}
		for i := range 200 {
			out[fmt.Sprintf("internal/part%d/file%d.go", i/9, i)] = qa.Count{Covered: i, Total: 2*i + 1}
		}
		return out
	}
	var names []string
	for i := range 4000 {
		names = append(names, fmt.Sprintf("tests/unit/part%d/test_behaviour_%d.py > TestBehaviour%d > test_that_it_holds[%x]", i/300, i/40, i/40, i*7919))
	}
	d := Digest{
		Schema:   Schema,
		Baseline: &Baseline{SHA: "c", Files: files(2), Suites: map[string]Suite{".": {Key: "k", Passed: names[1:], Failed: []string{names[0], "é", "è", "twice"}, Skipped: []string{"twice"}}, "web": {Passed: names[:3]}}},
		Base:     &Baseline{SHA: "b", Files: files(3), Suites: map[string]Suite{".": {Key: "k", Passed: names[:3990], Flaky: []string{"twice", "twice"}}}},
	}
	d.Base.Files["gone.go"] = qa.Count{Covered: 1, Total: 1}
	delete(d.Base.Files, "internal/part0/file1.go")
	before := fmt.Sprint(d.Baseline, d.Base)
	text, err := d.Pack(32 << 10)
	check(t, err)
	back, err := Unpack(text)
	check(t, err)
	if diff := cmp.Diff(d, back, cmpopts.EquateEmpty(), anyOrder); diff != "" {
		t.Error(diff)
	}
	if fmt.Sprint(d.Baseline, d.Base) != before {
		t.Error("packing changed what is packed")
	}
	letters := []string{"aè", "aé", "aéb"}
	if got, err := lengthened(shortened(letters)); err != nil || !slices.Equal(got, letters) {
		t.Errorf("%q %v", got, err)
	}
	d.Baseline.Suites["."] = Suite{Passed: []string{"a\xffb", "a\xffc"}}
	text, err = d.Pack(1 << 20)
	check(t, err)
	if back, err = Unpack(text); err != nil || len(back.Baseline.Suites["."].Passed) != 2 || len(back.Base.Suites["."].Passed) != 3990 {
		t.Errorf("names that are no text: %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	text, err := full(3, 3, 3).Pack(1 << 20)
	check(f, err)
	f.Add(text)
	f.Add(packed(f, []byte(`{"schema":1,"baseline":{"sha":"c","files":{"a":{"covered":1,"total":2}}},"base":{"sha":"b"},"names":["0ab","1c"],"run":{".":"pf"},"was":{".":"-s"},"alike":true,"gone":["a"]}`)))
	f.Add(packed(f, []byte(`{"schema":1,"baseline":null,"ledger":{"entries":[{}]}}`)))
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Unpack(text)
		if err != nil {
			return
		}
		if _, err := d.Pack(1 << 20); err != nil {
			t.Error(err)
		}
	})
}
