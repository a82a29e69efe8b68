package xmlscan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf16"
)

// tokens renders a whole scan, one token a line, then the error and salvages.
func tokens(r io.Reader, lim Limits) string {
	s := New(r, lim)
	var b strings.Builder
	for s.Next() {
		switch s.Kind() {
		case Start:
			fmt.Fprintf(&b, "%d <%s", s.Line(), s.Name())
			for _, a := range s.attrs {
				v, _ := s.Attr(string(local(a.name)))
				fmt.Fprintf(&b, " %s=%q", local(a.name), v)
			}
			b.WriteString(">\n")
		case End:
			fmt.Fprintf(&b, "</%s>\n", s.Name())
		case Text:
			fmt.Fprintf(&b, "%q\n", s.Text())
		}
	}
	if err := s.Err(); err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	if n, line := s.Salvaged(); n > 0 {
		fmt.Fprintf(&b, "salvaged %d from line %d\n", n, line)
	}
	return b.String()
}

func utf16Bytes(s string, big bool) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

var documents = []struct{ name, in, want string }{
	{"plain", "<a x=\"1\"\n y='2'>\n <b/>text</a>", "1 <a x=\"1\" y=\"2\">\n3 <b>\n</b>\n\"text\"\n</a>\n"},
	{"no space between attributes", `<a x="1"y="2"/>`, "1 <a x=\"1\" y=\"2\">\n</a>\n"},
	{"prefixes", `<x:a y:k="v"></x:a >`, "1 <a k=\"v\">\n</a>\n"},
	{"comments, instructions, doctype", "<?xml version='1.0'?>\n<!DOCTYPE a PUBLIC \"-//X//DTD >\" \"x.dtd\" [\n<!ENTITY e \"]>\">\n]><!-- <a> -->\n<a/>", "5 <a>\n</a>\n"},
	{"entities", `<a k="&lt;&#65;&#x42;&quot;&apos;&gt;&amp;">&lt;b&gt;</a>`, "1 <a k=\"<AB\\\"'>&\">\n\"<b>\"\n</a>\n"},
	{"cdata", "<a><![CDATA[x < y &amp; ]] > z]]><![CDATA[]]></a>", "1 <a>\n\"x < y &amp; ]] > z\"\n</a>\n"},
	{"line ends", "<a k=\"1\r\n2\">x\r\ny\rz</a>", "1 <a k=\"1\\n2\">\n\"x\\ny\\nz\"\n</a>\n"},
	{"BOM", "\xEF\xBB\xBF<a/>", "1 <a>\n</a>\n"},
	{"UTF-8 declared as UTF-16", `<?xml version="1.0" encoding="utf-16"?><a k="é"/>`, "1 <a k=\"é\">\n</a>\n"},
	{"ISO-8859-1", "<?xml version=\"1.0\" encoding='ISO-8859-1'?><a k=\"\xE9\"/>", "1 <a k=\"é\">\n</a>\n"},
	{"windows-1252", "<?xml version=\"1.0\" encoding=\"Windows-1252\"?><a k=\"\x80\"/>", "1 <a k=\"€\">\n</a>\n"},
	{"UTF-16 LE", "\xFF\xFE" + utf16Bytes("<a k=\"é😀\"/>", false), "1 <a k=\"é😀\">\n</a>\n"},
	{"UTF-16 BE", "\xFE\xFF" + utf16Bytes("<a k=\"é😀\"/>", true), "1 <a k=\"é😀\">\n</a>\n"},
	{"UTF-16 without mark", utf16Bytes("<a>é</a>", false), "1 <a>\n\"é\"\n</a>\n"},

	{"raw < in attribute", "<a>\n<b k=\"x < y <z>\"/></a>", "1 <a>\n2 <b k=\"x < y <z>\">\n</b>\n</a>\nsalvaged 2 from line 2\n"},
	{"control characters", "<a k=\"\x1b[31m\">\x00</a>", "1 <a k=\"\\x1b[31m\">\n\"\\x00\"\n</a>\nsalvaged 1 from line 1\n"},
	{"raw < in text", "<a>x < y <= z</a>", "1 <a>\n\"x \"\n\"< y \"\n\"<= z\"\n</a>\nsalvaged 2 from line 1\n"},
	{"broken UTF-8", "<a k=\"\xff\"/>", "1 <a k=\"�\">\n</a>\nsalvaged 1 from line 1\n"},
	{"unknown entity", `<a k="&nbsp;&;& b"/>`, "1 <a k=\"&nbsp;&;& b\">\n</a>\nsalvaged 3 from line 1\n"},
	{"illegal character reference", `<a>&#0;&#27;&#xD800;</a>`, "1 <a>\n\"�\\x1b�\"\n</a>\nsalvaged 3 from line 1\n"},
	{"entity bomb", `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>`, "1 <l>\n\"&b;\"\n</l>\nsalvaged 1 from line 1\n"},

	{"empty", "", "error: line 1: no XML element found, the document is empty\n"},
	{"blank", " \n\n", "error: line 3: no XML element found, the document is empty\n"},
	{"not XML", "hello\n<a/>", "error: line 1: text \"hello\" outside the root element, expected XML\n"},
	{"text after root", "<a/>\nage>", "1 <a>\n</a>\nerror: line 1: text \"age>\" outside the root element, expected XML\n"},
	{"two roots", "<a/>\n<b/>", "1 <a>\n</a>\nerror: line 2: a second root element <b>, expected the end of the document\n"},
	{"truncated element", "<a>\n<b>", "1 <a>\n2 <b>\nerror: line 2: unexpected end of the document, expected </b>\n"},
	{"truncated tag", "<a>\n<b k=\"v", "1 <a>\nerror: line 2: unexpected end of the document inside a tag\n"},
	{"truncated end tag", "<a></a", "1 <a>\nerror: line 1: unexpected end of the document inside an end tag\n"},
	{"truncated comment", "<a>\n<!-- x", "1 <a>\nerror: line 2: unexpected end of the document, expected \"-->\"\n"},
	{"truncated cdata", "<a><![CDATA[x", "1 <a>\nerror: line 1: unexpected end of the document inside a CDATA section\n"},
	{"truncated doctype", "<!DOCTYPE a [", "error: line 1: unexpected end of the document, expected the end of <!DOCTYPE\n"},
	{"lone <", "<a><", "1 <a>\nerror: line 1: unexpected end of the document inside markup\n"},
	{"mismatched", "<a><b></a>", "1 <a>\n1 <b>\nerror: line 1: unexpected </a>, expected </b>\n"},
	{"close without open", "</a>", "error: line 1: unexpected </a>, no element is open\n"},
	{"attribute without value", "<a k>", "error: line 1: malformed attribute near \"k>\" in <a>, expected name=\"value\"\n"},
	{"attribute without quotes", "<a k=v/>", "error: line 1: attribute k of <a> has no quoted value\n"},
	{"stray slash", "<a / >", "error: line 1: unexpected '/' in <a>, expected \"/>\"\n"},
	{"unknown encoding", `<?xml version="1.0" encoding="EBCDIC"?><a/>`, "error: line 1: encoding \"EBCDIC\" is not supported, expected UTF-8, UTF-16, ISO-8859-1 or windows-1252\n"},
}

func TestScanner(t *testing.T) {
	t.Parallel()
	for _, tt := range documents {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tokens(strings.NewReader(tt.in), Limits{}); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			whole := tokens(strings.NewReader(tt.in), Limits{})
			if got := tokens(iotest.OneByteReader(strings.NewReader(tt.in)), Limits{}); joined(got) != joined(whole) {
				t.Errorf("byte by byte\n%sat once\n%s", got, whole)
			}
		})
	}
}

// joined makes adjacent text tokens one.
func joined(tokens string) string { return strings.ReplaceAll(tokens, "\"\n\"", "") }

func TestLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct{ name, in, want string }{
		{"depth", strings.Repeat("<a>", 9), "nested deeper than 8"},
		{"tag", "<a>\n<b k=\"" + long, "line 2: a tag is longer than 4096 bytes"},
		{"name", "<a" + long + "/>", "name is longer than 1024 bytes"},
		{"end tag", "<a></a" + long, "an end tag is longer"},
		{"attributes", "<a" + strings.Repeat(" k='v'", 300) + "/>", "more than 256 attributes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tokens(strings.NewReader(tt.in), Limits{Depth: 8, Tag: 4096}); !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want it to contain %q", got, tt.want)
			}
		})
	}
}

// endless repeats a piece for n bytes and remembers nothing.
type endless struct {
	piece string
	n     int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	skip := (len(e.piece) - e.n%len(e.piece)) % len(e.piece)
	n := copy(p[:min(len(p), e.n)], e.piece[skip:])
	for n < min(len(p), e.n) {
		n += copy(p[n:min(len(p), e.n)], e.piece)
	}
	e.n -= n
	return n, nil
}

// The buffer must not grow with what is passed over or handed out in parts.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	for _, tt := range []struct{ name, open, piece, end string }{
		{"comment", "<a><!--", "- x ", "--></a>"},
		{"doctype", "<!DOCTYPE a [", "<!ENTITY a 'b'> ", "]><a/>"},
		{"text", "<a>", "é &amp; text ", "</a>"},
		{"white space", "<a>", "\n   ", "</a>"},
		{"cdata", "<a><![CDATA[", "é ]]x ", "]]></a>"},
		{"elements", "<a>", "<b k='v'></b>", "</a>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			whole := size / len(tt.piece) * len(tt.piece)
			s := New(io.MultiReader(strings.NewReader(tt.open), &endless{tt.piece, whole}, strings.NewReader(tt.end)), Limits{})
			text := 0
			for s.Next() {
				if s.Kind() == Text {
					text += len(s.Text())
				}
			}
			if s.Err() != nil {
				t.Fatal(s.Err())
			}
			if len(s.buf) > 512<<10 || cap(s.decoded) > 1<<20 {
				t.Errorf("buffer grew to %d bytes, decoded to %d", len(s.buf), cap(s.decoded))
			}
			switch tt.name {
			case "text":
				if want := whole / len(tt.piece) * len("é & text "); text != want {
					t.Errorf("%d bytes of text, want %d", text, want)
				}
			case "cdata":
				if text != whole {
					t.Errorf("%d bytes of text, want %d", text, whole)
				}
			}
			if n, _ := s.Salvaged(); n > 0 {
				t.Errorf("%d spots salvaged in a well-formed document", n)
			}
		})
	}
}

func TestReadErrorIsKept(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is gone")
	for _, in := range []string{"", "<a>", "<a k='", "<a><!--", "<a><![CDATA[", "<a>text", "\xFF\xFE<\x00"} {
		s := New(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)), Limits{})
		for s.Next() {
		}
		if !errors.Is(s.Err(), broken) {
			t.Errorf("after %q: %v", in, s.Err())
		}
	}
}

func TestSkip(t *testing.T) {
	t.Parallel()
	s := New(strings.NewReader("<a><b><b/>x</b><c/></a>"), Limits{})
	s.Next()
	s.Next()
	s.Skip()
	if !s.Next() || string(s.Name()) != "c" || s.Kind() != Start {
		t.Errorf("after Skip: %v %s, want the start of c", s.Kind(), s.Name())
	}
}

// standard renders a document by encoding/xml as [tokens] does, less lines.
func standard(in []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(in))
	var b strings.Builder
	for {
		tok, err := d.RawToken()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			fmt.Fprintf(&b, "<%s", tok.Name.Local)
			for _, a := range tok.Attr {
				fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
			}
			b.WriteString(">")
		case xml.EndElement:
			fmt.Fprintf(&b, "</%s>", tok.Name.Local)
		case xml.CharData:
			b.WriteString(squeeze(string(tok)))
		}
	}
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// FuzzScanner: no panic, the same tokens whatever the read size, and where
// encoding/xml reads a document without complaint, the same content.
func FuzzScanner(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lim := Limits{Depth: 64, Tag: 1 << 16}
		whole := tokens(bytes.NewReader(in), lim)
		if got := tokens(iotest.HalfReader(bytes.NewReader(in)), lim); joined(got) != joined(whole) {
			t.Errorf("in small reads\n%sat once\n%s", got, whole)
		}
		want, err := standard(bytes.TrimPrefix(in, []byte("\xEF\xBB\xBF")))
		s := New(bytes.NewReader(in), lim)
		var b strings.Builder
		repeated := false
		for s.Next() {
			switch s.Kind() {
			case Start:
				fmt.Fprintf(&b, "<%s", s.Name())
				seen := map[string]bool{}
				for _, a := range s.attrs {
					name := string(local(a.name))
					repeated = repeated || seen[name] || strings.Contains(string(a.name), ":")
					seen[name] = true
					v, _ := s.Attr(name)
					fmt.Fprintf(&b, " %s=%q", name, v)
				}
				b.WriteString(">")
				repeated = repeated || bytes.Contains(s.name, []byte(":"))
			case End:
				fmt.Fprintf(&b, "</%s>", s.Name())
			case Text:
				b.WriteString(squeeze(string(s.Text())))
			}
		}
		if n, _ := s.Salvaged(); err != nil || s.Err() != nil || n > 0 || repeated {
			return
		}
		if b.String() != want {
			t.Errorf("got  %s\nwant %s", b.String(), want)
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	doc := []byte("<coverage><lines>" + strings.Repeat("\n            <line number=\"1234\" hits=\"17\" branch=\"false\"/>", 20000) + "</lines></coverage>")
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		s := New(bytes.NewReader(doc), Limits{})
		for s.Next() {
			if s.Kind() == Start {
				s.Attr("hits")
			}
		}
		if s.Err() != nil {
			b.Fatal(s.Err())
		}
	}
}
