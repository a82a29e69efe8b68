package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// build makes what encoding/json makes, numbers as int64, words as strings.
func build(s *Scanner) (v any) {
	switch c, _ := s.peek(); c {
	case '{':
		m := map[string]any{}
		s.Object(func(key []byte) { k := string(key); m[k] = build(s) })
		return m
	case '[':
		list := []any{}
		s.Array(func() { list = append(list, build(s)) })
		return list
	case '"':
		return string(s.String())
	case 't', 'f':
		return s.Bool()
	}
	if n, ok := s.Int(); ok {
		return float64(n)
	}
	return nil
}

func TestScanner(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want any
		err  string
	}{
		{in: ` {"a": [1, -2, 3.9, 1e3], "b": {"c": null}, "d": true, "": "x"} `, want: map[string]any{"a": []any{1., -2., 3., 1000.}, "b": map[string]any{"c": nil}, "d": true, "": "x"}},
		{in: "\xEF\xBB\xBF[]", want: []any{}},
		{in: `["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx"]`, want: []any{"\"\\/\b\f\n\r\té😀\uFFFDx"}},
		{in: `[NaN, Infinity, -Infinity]`, want: []any{nil, nil, nil}},
		{in: `[99999999999999999999, -1e400]`, want: []any{float64(1<<63 - 1), float64(-1 << 63)}},
		{in: ``, err: "line 1, byte 0: unexpected end of the document, expected a value"},
		{in: "{\"a\":\n", err: "line 2, byte 6: unexpected end of the document, expected a value"},
		{in: `{"a" 1}`, err: "unexpected '1', expected ':' after a key"},
		{in: `{"a":1 "b":2}`, err: "unexpected '\"', expected ',' or '}'"},
		{in: `{a:1}`, err: "unexpected 'a', expected a string"},
		{in: `{"a":1,}`, err: "unexpected '}', expected a string"},
		{in: `[1,]`, err: "unexpected ']', expected a value"},
		{in: `[1 2]`, err: "unexpected '2', expected ',' or ']'"},
		{in: `[tru]`, err: `unexpected "tru", expected true or false`},
		{in: `[nil]`, err: `unexpected "nil", expected a number`},
		{in: `[0x10]`, err: `unexpected "0x10", expected a number`},
		{in: `["abc`, err: "unexpected end of the document inside a string"},
		{in: `["\x"]`, err: `unknown escape \x in a string`},
		{in: `["\u12"]`, err: `malformed escape \u`},
		{in: `{} {}`, err: "unexpected '{' after the end of the document"},
		{in: strings.Repeat("[", 600), err: "nested deeper than 512"},
		{in: `["` + strings.Repeat("x", 3<<20) + `"]`, err: "a string is longer than 1048576 bytes"},
		{in: strings.Repeat("1", 600), err: "longer than 512 bytes"},
	} {
		s := New(strings.NewReader(tt.in))
		got := build(s)
		err := s.End()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%.40s: error %v, want %q", tt.in, err, tt.err)
			}
			continue
		}
		if err != nil || !cmp.Equal(got, tt.want) {
			t.Errorf("%.40s: %v\n%s", tt.in, err, cmp.Diff(tt.want, got))
		}
	}
}

func TestUnreadValuesAreSkipped(t *testing.T) {
	t.Parallel()
	s := New(iotest.OneByteReader(strings.NewReader(`{"a":{"x":["}",1,{"\"":null}]},"b":7,"c":"` + strings.Repeat(`y\"`, 1<<20) + `","d":8}`)))
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
	if len(s.buf) > 2*bufferSize {
		t.Errorf("buffer grew to %d bytes over a skipped string", len(s.buf))
	}
}

func TestReadErrorIsKept(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is gone")
	for _, in := range []string{"", "{", `{"a"`, `{"a":1`, `["x`, "{}"} {
		s := New(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
		s.skip()
		if err := s.End(); !errors.Is(err, broken) {
			t.Errorf("after %q: %v", in, err)
		}
	}
}

// FuzzScanner: no panic, the same result whatever the read size, and every
// document that encoding/json takes is read, with the same content.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,true,null,"\u00e9\n"]}`, `[[[]]]`, `{"":{"":{}}}`, `"\ud83d\ude00"`, `[NaN]`, `[1, 22,333 ,4, -5, null]`, `[1,,2]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, small := New(bytes.NewReader(in)), New(iotest.OneByteReader(bytes.NewReader(in)))
		a, b := build(whole), build(small)
		errA, errB := whole.End(), small.End()
		if !cmp.Equal(a, b) || (errA == nil) != (errB == nil) {
			t.Fatalf("at once %v %v, byte by byte %v %v", a, errA, b, errB)
		}
		var one, all []int64
		byOne, atOnce := New(bytes.NewReader(in)), New(iotest.HalfReader(bytes.NewReader(in)))
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
		skipped := New(bytes.NewReader(in))
		skipped.skip()
		if errS := skipped.End(); errA == nil && errS != nil {
			t.Fatalf("read but not skipped: %v", errS)
		}
		if json.Valid(in) && errA != nil {
			t.Fatalf("valid JSON refused: %v", errA)
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	doc := []byte(`{"m":{` + strings.Repeat(`"1":{"start":{"line":1,"column":0},"end":{"line":1,"column":25}},`, 20000) + `"z":{}}}`)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		s := New(bytes.NewReader(doc))
		s.skip()
		if s.End() != nil {
			b.Fatal(s.Err())
		}
	}
}
