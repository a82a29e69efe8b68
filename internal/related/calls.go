package related

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/wording"
)

// How much is shown of who calls a function.
const (
	mostCallers = 5
	fullCallers = 2 // of which more is shown than the line that calls
	callsAround = 3 // lines of code on each side of it
)

// Callers are up to five places that call a function of a file, with the lines that
// do: tests and examples aside, and what is seen of the file already. Those that the change
// touches come first: another request may have what it did to them.
func (c *Code) Callers(seen Side, symbol string) string {
	var out []string
	if len(symbol[strings.LastIndexByte(symbol, '.')+1:]) < shortestName {
		return "" // of such a name there are many, and none is known to be this one
	}
	name := regexp.QuoteMeta(symbol[strings.LastIndexByte(symbol, '.')+1:])
	call, plain := regexp.MustCompile(`\b`+name+`\b`), regexp.MustCompile(`(?:^|[^\w$.])`+name+`\(`)
	all := slices.Clone(c.graph().Callers(seen.Path, symbol))
	slices.SortStableFunc(all, func(a, b outline.Caller) int { return cmp.Compare(touched(c, a), touched(c, b)) })
	for _, at := range all {
		if len(out) == mostCallers {
			break
		}
		kind, _, _ := change.Classify(at.Path, nil)
		if at.Function.Test || kind == qa.KindTest || change.IsExample(at.Path) || seen.shows(at) {
			continue
		}
		lines, code := c.lines(at.Path, at.Function.Lines), codeLines(c, at.Path, at.Function.Lines)
		found := -1
		for i, line := range lines {
			if !call.MatchString(code[i]) || heads(line, at.Function.Signature, call) {
				continue
			}
			if found < 0 {
				found = i
			}
			if plain.MatchString(code[i]) { // behind a dot it may be another one of that name
				found = i
				break
			}
		}
		out = append(out, at.Path+": "+callSite(at, lines, code, found, len(out) < fullCallers))
	}
	return strings.Join(out, "\n")
}

// touched is the rank of a caller: those that the change touches stand before the others.
func touched(c *Code, at outline.Caller) int {
	if f, changed := c.o.Change.File(at.Path); changed && !at.Guess && f.Touches(at.Function.Lines) {
		return 0
	}
	return 1
}

// callSite is how a function calls another one in one of its lines: of the first ones also
// what stands around it, which tells whether the call is reached, with what, and what
// becomes of its result.
func callSite(at outline.Caller, lines, code []string, line int, full bool) string {
	head := cmp.Or(at.Function.Signature, at.Function.Name)
	switch {
	case line < 0:
		return head
	case full && len(lines) <= smallBody:
		return strings.TrimSpace(strings.Join(lines, "\n"))
	case !full:
		return head + "\n\t" + strings.TrimSpace(lines[line])
	}
	body := qa.Range{Start: 2, End: len(lines)} // below the signature
	wanted := map[int]bool{line + 1: true}
	for _, step := range []int{-1, 1} {
		for n, left := line+1+step, callsAround; left > 0 && body.Contains(n) && len(wanted) <= 8*callsAround; n += step {
			wanted[n] = true
			if strings.TrimSpace(code[n-1]) != "" {
				left--
			}
		}
	}
	for _, outer := range enclosing(lines, body, line+1) {
		wanted[outer] = true
	}
	text, last := head, 1
	for _, part := range Filled(wanted, qa.Range{Start: 1, End: len(lines)}) {
		if part.Start > last+1 {
			text += "\n\t…"
		}
		text, last = text+"\n"+strings.Join(lines[part.Start-1:part.End], "\n"), part.End
	}
	return text
}

// heads reports whether a line of a function is of its signature, and calls nothing
// behind it: a method that hands on to one of its own name names it there, too.
func heads(line, signature string, call *regexp.Regexp) bool {
	line = strings.TrimSpace(line)
	if behind, ok := strings.CutPrefix(line, signature); ok {
		return !call.MatchString(behind)
	}
	return strings.Contains(signature, line)
}

// mostDeclared is for how many places of a change readers are looked for: each reads the
// files that see it.
const mostDeclared = 12

// Readers are the functions that name what a change wrote outside of functions, with the
// lines that do, but for what is seen of the file already: what a constant is for is told
// by who reads it.
func (c *Code) Readers(seen Side) string {
	var out []string
	for _, r := range seen.Added[:min(len(seen.Added), mostDeclared)] {
		all, names, _ := c.using(seen.Path, r)
		for _, at := range all {
			if seen.shows(at) {
				continue
			}
			text := fmt.Sprintf("%s: %s", at.Path, cmp.Or(at.Function.Signature, at.Function.Name))
			code := codeLines(c, at.Path, at.Function.Lines)
			for i, line := range c.lines(at.Path, at.Function.Lines) {
				if slices.ContainsFunc(names, func(n string) bool { return word(n).MatchString(code[i]) }) {
					text += "\n\t" + strings.TrimSpace(line)
				}
			}
			out = each.Added(out, wording.Excerpt(text, shownOutside))
		}
	}
	return strings.Join(out, "\n")
}

// How many lines a function has at most that is shown whole where it is called, and where
// lines that the change wrote or took away call it.
const (
	smallBody = 12
	namedBody = 24
	// bodyRoom is how many characters there are for longer ones that changed lines call.
	bodyRoom = 2400
	// briefLines are those of its documentation.
	briefLines = 6
)

// Callees are the comments and signatures of what a function of a file calls, or called
// before the change, what its changed lines hand on and what it stands for of the classes
// that its own is derived from, small functions whole, and what of other files its changed
// lines name, but for what is seen of the file already. What the changed lines call decides more
// than what stands around them: it comes first, and more of it is shown whole.
func (c *Code) Callees(seen Side, symbol string) string {
	words := seen.words(symbol)
	kin := kinOf(c, seen.Path, symbol)
	var out, rest []string
	room := bodyRoom
	for _, at := range called(c, seen, symbol, kin) {
		if seen.shows(at) {
			continue
		}
		list, most := &rest, smallBody
		if name := own(at.Function.Name); slices.Contains(words, own(outline.CalledAs(at.Function.Name))) || len(words) > 0 && name == own(symbol) {
			list, most = &out, namedBody
		}
		doc, shown := at.Function.Doc, cmp.Or(at.Function.Signature, at.Function.Name)
		body := strings.Join(c.lines(at.Path, at.Function.Lines), "\n")
		long := list == &out && at.Function.Lines.Len() > most && len(body) <= room
		if long {
			room -= len(body)
		}
		if body != "" && (long || at.Function.Lines.Len() <= most) {
			shown = body
			if strings.Contains(wording.Fold(body), wording.Fold(doc)) { // as in Python
				doc = ""
			}
		} else if list == &out {
			shown = strings.TrimSuffix(shown+"\n"+telling(c, at, seen.options(symbol)), "\n")
		}
		text := strings.TrimSpace(brief(doc) + "\n" + shown)
		if at.Path != seen.Path {
			text = at.Path + of(kin, at) + ": " + text
		}
		*list = append(*list, text)
	}
	return strings.Join(slices.Concat(out, rest, namedElsewhere(c, seen, words), inherited(c, seen, symbol, kin)), "\n")
}

// brief is documentation without its examples and lists: its first paragraphs, as far as
// they fit.
func brief(doc string) string {
	lines := strings.Split(doc, "\n")
	if len(lines) <= briefLines {
		return doc
	}
	end := briefLines
	for end > 0 && strings.TrimSpace(lines[end]) != "" {
		end--
	}
	return strings.TrimRight(strings.Join(lines[:cmp.Or(end, briefLines)], "\n"), " \t\n") + "\n…"
}

// Body is a function that calls, as it stands in its file.
func (c *Code) Body(at outline.Caller) string {
	return strings.Join(c.lines(at.Path, at.Function.Lines), "\n")
}

func (c *Code) lines(file string, at qa.Range) []string {
	src, err := c.o.Read(file)
	if err != nil {
		return nil
	}
	return within(src, at)
}

// codeLines are lines of a file without their comments and strings.
func codeLines(c *Code, file string, at qa.Range) []string {
	known, ok := c.code.Load(file)
	if !ok {
		src, err := c.o.Read(file)
		if err != nil {
			return nil
		}
		known = Proseless(file, src)
		c.code.Store(file, known) // a large file is asked about for each of its functions
	}
	return within(known.([]byte), at)
}

func within(src []byte, at qa.Range) []string {
	lines := strings.Split(string(src), "\n")
	if at.Start < 1 || at.End > len(lines) {
		return nil
	}
	return lines[at.Start-1 : at.End]
}
