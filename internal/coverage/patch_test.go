package coverage

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

func source(path string, added ...qa.Range) qa.FileChange {
	return qa.FileChange{Path: path, Status: qa.Modified, Kind: qa.KindSource, Added: added}
}

func TestPatch(t *testing.T) {
	t.Parallel()
	cov := parts(t, `SF:a.c
DA:1,1
DA:2,0
DA:3,0
DA:5,2
DA:9,0
BRDA:1,0,0,1
BRDA:1,0,1,0
BRDA:9,0,0,-
end_of_record
SF:gen/x.c
DA:1,0
end_of_record
SF:test/a_test.c
DA:1,1
end_of_record
SF:empty.c
end_of_record
`)[0]
	for _, tt := range []struct {
		name    string
		cov     *qa.Coverage
		files   []qa.FileChange
		exclude []string
		want    qa.PatchCoverage
	}{
		{
			name:  "only added lines, missing in ranges",
			cov:   cov,
			files: []qa.FileChange{source("a.c", qa.Range{Start: 9, End: 10}, qa.Range{Start: 1, End: 4})},
			want: qa.PatchCoverage{
				Lines: qa.Count{Covered: 1, Total: 4}, Branches: &qa.Count{Covered: 1, Total: 3}, Changed: 6, NonCode: 2,
				Missing: []qa.Missing{{Path: "a.c", Ranges: []qa.Range{{Start: 2, End: 3}, {Start: 9, End: 9}}}},
				Files:   map[string]qa.Count{"a.c": {Covered: 1, Total: 4}},
			},
		},
		{
			name: "whole denominator",
			cov:  cov,
			files: []qa.FileChange{
				source("a.c", qa.Range{Start: 5, End: 6}),
				source("gen/x.c", qa.Range{Start: 1, End: 3}),
				{Path: "vendored.c", Status: qa.Added, Kind: qa.KindSource, Generated: true, Added: []qa.Range{{Start: 1, End: 4}}},
				source("unknown.c", qa.Range{Start: 1, End: 5}),
				{Path: "README.md", Status: qa.Modified, Kind: qa.KindDocs, Added: []qa.Range{{Start: 1, End: 7}}},
				{Path: "test/a_test.c", Status: qa.Modified, Kind: qa.KindTest, Added: []qa.Range{{Start: 1, End: 2}}},
				{Path: "logo.png", Status: qa.Added, Binary: true, Added: []qa.Range{{Start: 1, End: 9}}},
				{Path: "old.c", Status: qa.Deleted, Kind: qa.KindSource, Removed: 30},
				{Path: "moved.c", OldPath: "was.c", Status: qa.Renamed, Kind: qa.KindSource},
				source("empty.c", qa.Range{Start: 1, End: 1}),
			},
			exclude: []string{"gen/**"},
			want: qa.PatchCoverage{
				Lines: qa.Count{Covered: 1, Total: 1}, Branches: &qa.Count{},
				Changed: 24, NonCode: 11, Excluded: 7, Unmapped: []string{"unknown.c"}, UnmappedLines: 5,
				Missing: []qa.Missing{},
				Files:   map[string]qa.Count{"a.c": {Covered: 1, Total: 1}, "empty.c": {}},
			},
		},
		{
			name:  "no coverage is not full coverage",
			files: []qa.FileChange{source("a.c", qa.Range{Start: 1, End: 4})},
			want:  qa.PatchCoverage{Changed: 4, Unmapped: []string{"a.c"}, UnmappedLines: 4, Missing: []qa.Missing{}, Files: map[string]qa.Count{}},
		},
		{
			name:  "a summary does not know lines",
			cov:   &qa.Coverage{Files: []qa.FileCoverage{{Path: "a.c", LineCount: &qa.Count{Covered: 4, Total: 4}}}},
			files: []qa.FileChange{source("a.c", qa.Range{Start: 1, End: 4})},
			want:  qa.PatchCoverage{Changed: 4, Unmapped: []string{"a.c"}, UnmappedLines: 4, Missing: []qa.Missing{}, Files: map[string]qa.Count{}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.want.Unmapped == nil {
				tt.want.Unmapped = []string{}
			}
			got := Patch(tt.cov, tt.files, PatchOptions{Exclude: tt.exclude})
			if !cmp.Equal(got, tt.want) {
				t.Errorf("%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// Files without code of their own need no coverage.
func TestPatchAsksTheSource(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"types.go": "package a\n\ntype T struct{ A int }\n",
		"code.go":  "package a\n\nfunc F() { println() }\n",
		"const.go": "package a\n\nconst X = 1\n\nvar Y = X\n",
		"x.d.ts":   "export declare function f(): void;\n",
		"empty.py": "# nothing\n\n",
		"doc.py":   "\"\"\"Only text.\n\nMore.\n\"\"\"\n",
		"code.py":  "x = 1\n",
		"types.ts": "// types\nimport type { A } from './a';\nexport interface B { a: A; f(): void }\nexport type C = B | {\n  x: 'a;';\n};\n",
		"code.ts":  "export const x = 1;\n",
		"both.ts":  "export type A =\n  | 'x'\nconst y = 1\n",
	}
	var files []qa.FileChange
	for path := range texts {
		files = append(files, source(path, qa.Range{Start: 1, End: 2}))
	}
	got := Patch(&qa.Coverage{}, files, PatchOptions{Source: func(path string) []byte { return []byte(texts[path]) }})
	if want := []string{"both.ts", "code.go", "code.py", "code.ts"}; !cmp.Equal(got.Unmapped, want) || got.NonCode != 12 {
		t.Errorf("unmapped %v, non-code %d", got.Unmapped, got.NonCode)
	}
}

// Node.js counts each line of a function, also those without code.
func TestPatchCountsNoComments(t *testing.T) {
	t.Parallel()
	cov := parts(t, "SF:a.js\nDA:1,1\nDA:2,0\nDA:3,0\nDA:4,0\nend_of_record\n")[0]
	files := []qa.FileChange{source("a.js", qa.Range{Start: 1, End: 4})}
	got := Patch(cov, files, PatchOptions{Source: func(string) []byte { return []byte("a()\n\n// of b\nb()\n") }})
	want := qa.PatchCoverage{
		Lines: qa.Count{Covered: 1, Total: 2}, Changed: 4, NonCode: 2, Unmapped: []string{},
		Missing: []qa.Missing{{Path: "a.js", Ranges: []qa.Range{{Start: 4, End: 4}}}}, Files: map[string]qa.Count{"a.js": {Covered: 1, Total: 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The parts of the denominator always add up to the changed lines.
func TestPatchAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a.c", "b.c", "gen/c.c", "d_test.c"}
		cov := &qa.Coverage{}
		for _, name := range names {
			if rapid.Bool().Draw(t, "covered") {
				f := qa.FileCoverage{Path: name}
				for n := range int32(30) {
					if rapid.IntRange(0, 2).Draw(t, "line") > 0 {
						f.Lines = append(f.Lines, qa.LineHit{Line: n + 1, Hits: uint32(rapid.IntRange(0, 2).Draw(t, "hits"))})
					}
				}
				f.LineCount = measured.CountLines(f.Lines)
				cov.Files = append(cov.Files, f)
			}
		}
		var files []qa.FileChange
		touched := map[string]map[int]bool{}
		for _, name := range names {
			f := qa.FileChange{Path: name, Status: qa.Modified, Kind: qa.KindSource}
			touched[name] = map[int]bool{}
			for start := 1; start < 40; {
				start += rapid.IntRange(1, 9).Draw(t, "gap")
				r := qa.Range{Start: start, End: start + rapid.IntRange(0, 4).Draw(t, "len")}
				f.Added = append(f.Added, r)
				for n := r.Start; n <= r.End; n++ {
					touched[name][n] = true
				}
				start = r.End + 1
			}
			files = append(files, f)
		}
		p := Patch(cov, files, PatchOptions{Exclude: []string{"gen/*"}})
		if p.Changed != p.Lines.Total+p.NonCode+p.Excluded+p.UnmappedLines {
			t.Fatalf("%d changed = %d executable + %d non-code + %d excluded + %d unmapped", p.Changed, p.Lines.Total, p.NonCode, p.Excluded, p.UnmappedLines)
		}
		missing := 0
		for _, m := range p.Missing {
			for _, r := range m.Ranges {
				for n := r.Start; n <= r.End; n++ {
					missing++
					if !touched[m.Path][n] {
						t.Fatalf("%s:%d is missing and was not changed", m.Path, n)
					}
				}
			}
		}
		if missing != p.Lines.Total-p.Lines.Covered {
			t.Fatalf("%d missing lines, %s", missing, p.Lines.Text())
		}
		if !slices.IsSorted(p.Unmapped) {
			t.Fatal("unmapped is not sorted")
		}
	})
}

func TestCheckGlobs(t *testing.T) {
	t.Parallel()
	if err := CheckGlobs([]string{"**/*.go", "a/{b,c}/*"}); err != nil {
		t.Error(err)
	}
	if err := CheckGlobs([]string{"a/[b"}); err == nil {
		t.Error("a malformed glob passed")
	}
}
