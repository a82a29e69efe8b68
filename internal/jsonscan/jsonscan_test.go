package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// tree rebuilds what encoding/json gives, so that the two can be compared.
func tree(s *Scanner) (v any) {
	switch s.Next() {
	case Object:
		m := map[string]any{}
		s.Object(func(key []byte) { k := string(key); m[k] = tree(s) })
		return m
	case Array:
		a := []any{}
		s.Array(func() { a = append(a, tree(s)) })
		return a
	case String:
		return string(s.Text(1 << 20))
	case Number:
		if f, ok := s.Float(); ok {
			return f
		}
		return nil
	case True, False:
		return s.Bool()
	}
	s.Skip()
	return nil
}

var valid = []string{
	`{}`, `[]`, `[1,-2.5e3,0]`, `{"a":{"b":[true,false,null,"x"]},"c":""}`,
	`{"key \"q\"":"tab\t\u0041\u00e9\ud83d\ude00 \/ \\ \b\f\r\n"}`, `"\ud83dx"`, `{"":{"":{}}}`,
	"\n { \"a\" :\t[ 1 , 2 ] }\r\n", `"` + strings.Repeat("long ", 1000) + `"`,
}

func TestAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range valid {
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{
			"whole":        strings.NewReader(text),
			"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
			"marked":       iotest.OneByteReader(strings.NewReader("\xEF\xBB\xBF" + text)),
		} {
			s := Strict(r)
			got := tree(s)
			if err := s.End(); err != nil || !cmp.Equal(got, want) {
				t.Errorf("%s %.40s: %v\n%s", name, text, err, cmp.Diff(want, got))
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"", "line 1, byte 0: unexpected end of the document, expected a value"},
		{"{\"a\":\n", "line 2, byte 6: unexpected end of the document, expected a value"},
		{"PASS", `unexpected "P", expected a value`},
		{`{"a":1`, `unexpected end of the document, expected "," or "}"`},
		{"[1,\n2", `line 2, byte 5: unexpected end of the document, expected "," or "]"`},
		{`{"a":"b`, "the closing double quote of a string"},
		{`{a:1}`, `unexpected "a", expected a key in double quotes`},
		{`{"a" 1}`, `unexpected "1", expected ":" after a key`},
		{`{"a":1 "b":2}`, `expected "," or "}"`},
		{`{"a":1,}`, `unexpected "}", expected a key in double quotes`},
		{`[1,]`, `unexpected "]", expected a value`},
		{`[1 2]`, `unexpected "2", expected "," or "]"`},
		{`[tru]`, `unexpected "tru", expected true or false`},
		{`[nil]`, `unexpected "nil", expected a value`},
		{`[1.2.3]`, `unexpected "1.2.3", expected a number`},
		{`"\u12x4"`, "four hexadecimal digits"},
		{`["\x"]`, `unexpected "x", expected one of "\/bfnrtu after a backslash`},
		{`"\`, "an escaped character"},
		{`{} {}`, `unexpected "{", expected the end of the document`},
		{strings.Repeat("[", 600), "nested deeper than 512"},
		{strings.Repeat("1", 600), "longer than 512 bytes"},
		{`{"` + strings.Repeat("k", 1<<20) + `":1}`, "a key is longer than 65536 bytes"},
	} {
		for _, r := range []io.Reader{strings.NewReader(tc.in), iotest.OneByteReader(strings.NewReader(tc.in))} {
			s := Strict(r)
			tree(s)
			if err := s.End(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%.40s: got %v, want it to say %q", tc.in, err, tc.want)
			}
		}
	}
}

func TestTruncationIsToldApart(t *testing.T) {
	t.Parallel()
	fails := func(r io.Reader) error {
		s := New(r)
		tree(s)
		return s.End()
	}
	if err := fails(strings.NewReader(`{"a":[1,2`)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want io.ErrUnexpectedEOF", err)
	}
	if err := fails(strings.NewReader(`{"a":[1 2]}`)); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want a plain syntax error", err)
	}
	broken := errors.New("disk gone")
	for _, in := range []string{"", "{", `{"a"`, `{"a":1`, `["x`, `["\`, "[1,", "{}"} {
		if err := fails(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("after %q: got %v, want the reader's own error", in, err)
		}
	}
}

func TestTextIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"` + strings.Repeat("x", 300000) + `" 7`, `"` + strings.Repeat(`\n`, 300000) + `" 7`, `"` + strings.Repeat("x", 300) + `" 7`} {
		s := New(strings.NewReader(text))
		if got := s.Text(100); len(got) != 100 {
			t.Errorf("got %d bytes, %v", len(got), s.Err())
		}
		if f, ok := s.Float(); f != 7 || !ok || s.End() != nil {
			t.Errorf("after a cut string: %v %v %v", f, ok, s.Err())
		}
	}
}

func TestUnreadValuesAreSkipped(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000)
	s := New(iotest.HalfReader(strings.NewReader(`{"a":{"x":["}",1,{"\"":null}]},"b":7,"c":"` + strings.Repeat(`y\"`, 1<<17) + `","d":8,"e":` + deep + `,"f":1}`)))
	var sum int64
	s.Object(func(key []byte) {
		if string(key) == "b" || string(key) == "d" {
			n, _ := s.Int()
			sum += n
		}
	})
	if err := s.End(); err != nil || sum != 15 {
		t.Errorf("sum %d, %v", sum, err)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"7": 7, "-2": -2, "3.9": 3, "1e3": 1000, "9007199254740993": 9007199254740993,
		"99999999999999999999": math.MaxInt64, "-1e400": math.MinInt64,
	} {
		s := Strict(strings.NewReader(in))
		if n, ok := s.Int(); n != want || !ok || s.End() != nil {
			t.Errorf("%s: got %d, %v, %v", in, n, ok, s.Err())
		}
	}
	for _, in := range []string{"null", "NaN", "Infinity", "-Infinity"} {
		s := Strict(strings.NewReader(in))
		if _, ok := s.Int(); ok || s.End() != nil {
			t.Errorf("%s: %v, %v", in, ok, s.Err())
		}
	}
}

// TestOtherTypes: what is not of the type asked for reads as zero, or is an
// error for who is strict.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	asks := map[string]func(s *Scanner){
		"an object":     func(s *Scanner) { s.Object(func([]byte) { t.Error("a member") }) },
		"an array":      func(s *Scanner) { s.Array(func() { t.Error("an element") }) },
		"a string":      func(s *Scanner) { s.Text(10) },
		"a number":      func(s *Scanner) { s.Int() },
		"true or false": func(s *Scanner) { s.Bool() },
	}
	values := map[string]string{"an object": `{"a":["}"]}`, "an array": `[[1], "]"]`, "a string": `"x"`, "a number": "3", "true or false": "true"}
	for want, ask := range asks {
		for kind, value := range values {
			if kind == want {
				continue
			}
			s := New(strings.NewReader(value))
			ask(s)
			if err := s.End(); err != nil {
				t.Errorf("%s for %s: %v", value, want, err)
			}
			s = Strict(strings.NewReader(value))
			ask(s)
			if err := s.End(); err == nil || !strings.Contains(err.Error(), "expected "+want) {
				t.Errorf("%s for %s: got %v", value, want, err)
			}
		}
		s := Strict(strings.NewReader("null"))
		ask(s)
		if err := s.End(); err != nil {
			t.Errorf("null for %s: %v", want, err)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	var s Scanner
	for _, in := range []string{`{"a":1}`, `{"a":`, `{"a":"x\n"}`} {
		s.Reset([]byte(in))
		tree(&s)
		if (s.End() == nil) != json.Valid([]byte(in)) {
			t.Errorf("%s: %v", in, s.Err())
		}
	}
}

// FuzzScanner: no panic, the same result whatever the read size, and every
// document that encoding/json takes is read, with the same content.
func FuzzScanner(f *testing.F) {
	for _, text := range valid {
		f.Add([]byte(text))
	}
	for _, seed := range []string{`"\ud800\u0041"`, `[NaN, -Infinity]`, `[1, 22,333 ,4, -5, null]`, `[1,,2]`, "\xEF\xBB\xBF{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, small := New(bytes.NewReader(in)), New(iotest.OneByteReader(bytes.NewReader(in)))
		got, parts := tree(whole), tree(small)
		errWhole, errSmall := whole.End(), small.End()
		if (errWhole == nil) != (errSmall == nil) || errWhole == nil && !cmp.Equal(got, parts) {
			t.Fatalf("at once %v %v, byte by byte %v %v", got, errWhole, parts, errSmall)
		}
		skipped := New(bytes.NewReader(in))
		skipped.Skip()
		if err := skipped.End(); errWhole == nil && err != nil {
			t.Fatalf("read but not skipped: %v", err)
		}
		var one, all []int64
		byOne, atOnce := Strict(bytes.NewReader(in)), Strict(iotest.HalfReader(bytes.NewReader(in)))
		byOne.Array(func() {
			if n, ok := byOne.Int(); ok {
				one = append(one, n)
			}
		})
		atOnce.Ints(func(n int64, ok bool) {
			if ok {
				all = append(all, n)
			}
		})
		if errOne, errAll := byOne.End(), atOnce.End(); (errOne == nil) != (errAll == nil) || errOne == nil && !cmp.Equal(one, all) {
			t.Fatalf("Array gives %v %v, Ints %v %v", one, errOne, all, errAll)
		}
		var want any
		if !utf8.Valid(in) || json.Unmarshal(in, &want) != nil || bytes.Count(in, []byte("["))+bytes.Count(in, []byte("{")) > maxDepth {
			return
		}
		if errWhole != nil || !cmp.Equal(got, want) {
			t.Fatalf("got %v, %v; encoding/json says %v", got, errWhole, want)
		}
	})
}

func BenchmarkSkip(b *testing.B) {
	doc := []byte(`{"m":{` + strings.Repeat(`"1":{"start":{"line":1,"column":0},"end":{"line":1,"column":25}},`, 20000) + `"z":{}}}`)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		s := New(bytes.NewReader(doc))
		s.Skip()
		if s.End() != nil {
			b.Fatal(s.Err())
		}
	}
}
