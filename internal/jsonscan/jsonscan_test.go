package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// tree rebuilds what encoding/json gives, so that the two can be compared.
func tree(s *Scanner) (any, error) {
	switch s.Next() {
	case Object:
		m := map[string]any{}
		err := s.Object(func(key []byte) error {
			k := string(key)
			v, err := tree(s)
			m[k] = v
			return err
		})
		return m, err
	case Array:
		a := []any{}
		err := s.Array(func() error {
			v, err := tree(s)
			a = append(a, v)
			return err
		})
		return a, err
	case String:
		b, err := s.Text(1 << 20)
		return string(b), err
	case Number:
		f, _, err := s.Float()
		return f, err
	case True, False:
		return s.Bool()
	}
	return nil, s.Skip()
}

var valid = []string{
	`{}`, `[]`, `[1,-2.5e3,0]`, `{"a":{"b":[true,false,null,"x"]},"c":""}`,
	`{"key \"q\"":"tab\t\u0041\u00e9\ud83d\ude00 \/ \\ \b\f\r\n"}`,
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
		} {
			got, err := tree(New(r))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s %.40s: got %v, %v; want %v", name, text, got, err, want)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "a JSON value"},
		{"not JSON", "PASS", `found "P"`},
		{"open object", `{"a":1`, `expected "," or "}"`},
		{"open array", "[1,\n2", `line 2: unexpected EOF, expected "," or "]"`},
		{"open string", `{"a":"b`, "closing double quote"},
		{"bare key", `{a:1}`, "a key in double quotes"},
		{"no colon", `{"a" 1}`, `":" after a key`},
		{"trailing comma", `{"a":1,}`, "a key in double quotes"},
		{"bad escape", `"\u12x4"`, "four hexadecimal digits"},
		{"ends in escape", `"\`, "an escaped character"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := tree(New(strings.NewReader(tc.text)))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
		})
	}
}

func TestTruncationIsToldApart(t *testing.T) {
	t.Parallel()
	_, err := tree(New(strings.NewReader(`{"a":[1,2`)))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want io.ErrUnexpectedEOF", err)
	}
	_, err = tree(New(strings.NewReader(`{"a":[1 2]}`)))
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want a plain syntax error", err)
	}
	broken := errors.New("disk gone")
	_, err = tree(New(io.MultiReader(strings.NewReader(`[1,`), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}

func TestTextIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"` + strings.Repeat("x", 300000) + `" 7`, `"` + strings.Repeat(`\n`, 300000) + `" 7`} {
		s := New(strings.NewReader(text))
		got, err := s.Text(100)
		if err != nil || len(got) != 100 || !s.Cut() {
			t.Errorf("got %d bytes, cut %v, %v", len(got), s.Cut(), err)
		}
		if f, ok, err := s.Float(); f != 7 || !ok || err != nil {
			t.Errorf("after a cut string: %v %v %v", f, ok, err)
		}
	}
}

func TestSkipTakesNestingOfAnyDepth(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 5_000_000) + strings.Repeat("]", 5_000_000) + " true"
	s := New(strings.NewReader(deep))
	if err := s.Skip(); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Bool(); !v || err != nil {
		t.Errorf("after the nest: %v, %v", v, err)
	}
}

func TestOtherTypesReadAsZero(t *testing.T) {
	t.Parallel()
	s := New(strings.NewReader(`[{"a":["}"]}, "x", 3, null]`))
	var texts []string
	err := s.Array(func() error {
		b, err := s.Text(10)
		texts = append(texts, string(b))
		return err
	})
	if err != nil || !reflect.DeepEqual(texts, []string{"", "x", "", ""}) {
		t.Errorf("got %q, %v", texts, err)
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range valid {
		f.Add([]byte(text))
	}
	f.Add([]byte(`"\ud800\u0041"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > 1000 {
			return // the test's own recursion, not the scanner's
		}
		whole, errWhole := tree(New(bytes.NewReader(data)))
		parts, errParts := tree(New(iotest.OneByteReader(bytes.NewReader(data))))
		if (errWhole == nil) != (errParts == nil) || errWhole == nil && !reflect.DeepEqual(whole, parts) {
			t.Fatalf("buffering changes the result: %v %v, %v %v", whole, errWhole, parts, errParts)
		}
		var want any
		if !utf8.Valid(data) || json.Unmarshal(data, &want) != nil {
			return
		}
		if errWhole != nil || !reflect.DeepEqual(whole, want) {
			t.Fatalf("got %v, %v; encoding/json says %v", whole, errWhole, want)
		}
	})
}
