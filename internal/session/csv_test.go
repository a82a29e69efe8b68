package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/wording"
)

// nasty draws text that breaks tables, spreadsheets and terminals.
func nasty() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"=1+1", "+x", "-y", "@z", "'", "''", ";", ",", "|", "\n", "\r\n", "\r", "\t", "\"", "\\", `\e`, `\;`, "\x00", "\xff", "é", "測", "a"}),
		rapid.StringN(0, 4, -1),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "")
	})
}

func TestTasksRoundTripExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		row := Task{
			ID: "T-1", Role: "generator", ExecMode: OneShot, Layer: "L2",
			Title: nasty().Draw(t, "title"), Description: nasty().Draw(t, "description"),
			CoverageTarget: ptr(rapid.Float64Range(0, 100).Draw(t, "target")),
			Outcome: Outcome{
				Status: Completed, Wave: 3, Findings: nasty().Draw(t, "findings"), Error: nasty().Draw(t, "error"),
				TestFiles:   rapid.SliceOfN(nasty(), 1, 4).Draw(t, "files"),
				PassRate:    ptr(rapid.Float64Range(0, 1).Draw(t, "rate")),
				IssuesFound: ptr(rapid.IntRange(0, 1e6).Draw(t, "issues")),
			},
		}
		data, err := encodeTasks([]Task{row}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeTasks(data)
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		want := row
		for _, s := range []*string{&want.Title, &want.Description, &want.Error, &want.Findings} {
			*s = text(*s)
		}
		want.Findings = wording.Cut(want.Findings, maxFindings)
		if diff := cmp.Diff([]Task{want}, got); diff != "" {
			t.Fatalf("%s\nfrom\n%q", diff, data)
		}
	})
}

// No cell, and no part of a cell that a spreadsheet of another locale would cut
// off, begins like a formula.
func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := nasty().Draw(t, "in")
		out := defuse(in)
		for _, part := range strings.FieldsFunc(out, func(c rune) bool { return strings.ContainsRune(";,|\n", c) }) {
			if part != "" && strings.ContainsRune("=+-@\t\r", rune(part[0])) {
				t.Fatalf("%q becomes %q with a part %q", in, out, part)
			}
		}
		if back := fuse(out); back != in {
			t.Fatalf("%q becomes %q and %q", in, out, back)
		}
	})
}

func TestFindingsAreCutAtACharacter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 600)
	data, err := encodeTasks([]Task{{ID: "a", Role: "scout", ExecMode: OneShot, Outcome: Outcome{Status: Pending, Findings: long}}}, nil)
	check(t, err)
	tasks, err := decodeTasks(data)
	check(t, err)
	if got := tasks[0].Findings; got != strings.Repeat("é", 499)+"…" {
		t.Errorf("%d characters, %d bytes", len([]rune(got)), len(got))
	}
}

func TestDecodeNamesLineAndColumn(t *testing.T) {
	t.Parallel()
	head := strings.Join(columns, ",") + "\n"
	row := func(cells ...string) string { // 19 cells, the given ones at their column
		all := make([]string, len(columns))
		all[0], all[3], all[9], all[11] = "a", "scout", "csv-wave", "pending"
		for i := 0; i+1 < len(cells); i += 2 {
			for c, name := range columns {
				if name == cells[i] {
					all[c] = cells[i+1]
				}
			}
		}
		return strings.Join(all, ",") + "\n"
	}
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", "header: EOF"},
		{"other header", "id,title\n", "record on line 1: wrong number of fields"},
		{"renamed column", strings.Replace(head, "wave", "wafe", 1), "line 1: the columns are"},
		{"short row", head + "a,b\n", "record on line 2: wrong number of fields"},
		{"torn quote", head + row() + "\"abc", `parse error on line 3, column 5: extraneous or missing " in quoted-field`},
		{"bad wave", head + row("wave", "two"), `line 2: column wave: "two" is not a whole number`},
		{"bad rate", head + row() + row("id", "b", "pass_rate", "NaN"), `line 3: column pass_rate: "NaN" is not a number`},
		{"bad status", head + row("status", "in_progress"), `invalid task table: a: unknown status "in_progress"`},
		{"duplicate and unknown", head + row() + row("deps", "zz"), `invalid task table: a: duplicate id; a: unknown task "zz"`},
		{"id is a path", head + row("id", "../x"), "invalid task table: ../x: not usable as an id"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeTasks([]byte(tc.in))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

func FuzzDecodeTasks(f *testing.F) {
	good, err := encodeTasks(testSpec().Tasks, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		tasks, err := decodeTasks(data)
		if err != nil {
			return
		}
		// What was accepted once is accepted again, unchanged.
		first, err := encodeTasks(tasks, nil)
		check(t, err)
		again, err := decodeTasks(first)
		check(t, err)
		second, err := encodeTasks(again, nil)
		check(t, err)
		if string(first) != string(second) {
			t.Errorf("%q becomes %q", first, second)
		}
	})
}
