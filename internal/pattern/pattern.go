// Package pattern has regular expressions that are compiled when they are first used.
// The program starts itself twice before every command of a suite, and hundreds of
// expressions that such a start never asks for took most of its time.
package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Pattern is a regular expression; its methods are those of [regexp.Regexp].
type Pattern struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
	needed     []string
}

var all []*Pattern

// All are the patterns of a program, for a test that compiles them. It stands where the
// whole program is tested: here it would have everything that uses a pattern compiled
// once more, for a test binary of its own.
func All() []*Pattern { return all }

// New is called while packages are initialised, and nowhere else. An expression that
// cannot be compiled panics when it is used; a test compiles them all.
func New(expression string) *Pattern {
	p := &Pattern{expression: expression}
	all = append(all, p)
	return p
}

func (p *Pattern) re() *regexp.Regexp {
	p.once.Do(func() {
		p.compiled = regexp.MustCompile(p.expression)
		if parsed, err := syntax.Parse(p.expression, syntax.Perl); err == nil {
			p.needed = needed(parsed.Simplify())
		}
	})
	return p.compiled
}

// may is false for a text that has no match, without asking the expression.
func (p *Pattern) may(s string) bool {
	p.re()
	return p.needed == nil || slices.ContainsFunc(p.needed, func(text string) bool { return strings.Contains(s, text) })
}

func (p *Pattern) String() string             { return p.expression }
func (p *Pattern) Match(b []byte) bool        { return p.re().Match(b) }
func (p *Pattern) MatchString(s string) bool  { return p.may(s) && p.re().MatchString(s) }
func (p *Pattern) Find(b []byte) []byte       { return p.re().Find(b) }
func (p *Pattern) FindString(s string) string { return p.re().FindString(s) }
func (p *Pattern) FindIndex(b []byte) []int   { return p.re().FindIndex(b) }

func (p *Pattern) FindStringIndex(s string) []int       { return p.re().FindStringIndex(s) }
func (p *Pattern) FindSubmatch(b []byte) [][]byte       { return p.re().FindSubmatch(b) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.re().FindStringSubmatch(s) }

func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.re().FindStringSubmatchIndex(s) }

func (p *Pattern) FindAllString(s string, n int) []string { return p.re().FindAllString(s, n) }

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int { return p.re().FindAllStringIndex(s, n) }

func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte { return p.re().FindAllSubmatch(b, n) }

func (p *Pattern) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return p.re().FindAllSubmatchIndex(b, n)
}

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.re().FindAllStringSubmatch(s, n)
}

func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.re().FindAllStringSubmatchIndex(s, n)
}

func (p *Pattern) ReplaceAll(b, with []byte) []byte { return p.re().ReplaceAll(b, with) }

func (p *Pattern) ReplaceAllFunc(b []byte, with func([]byte) []byte) []byte {
	return p.re().ReplaceAllFunc(b, with)
}

func (p *Pattern) ReplaceAllString(s, with string) string { return p.re().ReplaceAllString(s, with) }

func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.re().ReplaceAllStringFunc(s, with)
}

func (p *Pattern) ReplaceAllLiteralString(s, with string) string {
	return p.re().ReplaceAllLiteralString(s, with)
}

func (p *Pattern) Split(s string, n int) []string { return p.re().Split(s, n) }
