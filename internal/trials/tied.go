package trials

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/assurance"
	"github.com/org/qa-action/internal/source/outline"
)

// This file tells whether a test that names a finding shows what that claims.

// mostFollowed is how many functions that a test names are followed.
const mostFollowed = 20

// Named is the finding that a proof names and shows, empty where it names none; instead
// says why it shows something else.
func (s Proofs) Named(findings []qa.Finding, p Proof) (finding, instead string) {
	i := s.named(findings, p)
	if i < 0 {
		return "", ""
	}
	if instead = s.untied(findings[i], p); instead != "" {
		return "", instead
	}
	return p.Finding, ""
}

// named is the finding whose id a test bears, -1 is none.
func (s Proofs) named(findings []qa.Finding, p Proof) int {
	if p.Finding == "" {
		return -1
	}
	return slices.IndexFunc(findings, func(f qa.Finding) bool { return f.ID == p.Finding })
}

// untied says why a test does not show the finding that it names, empty where it does, or
// where nobody can tell. A run with the lines of the finding taken back is the best
// evidence; else the test has to reach the function, and to do what the claim says is
// done beside it.
func (s Proofs) untied(f qa.Finding, p Proof) string {
	if p.Was != nil || p.Written.Origin != nil { // it was told as proof of that before
		return ""
	}
	twin := s.twin(f, p)
	if p.Tie == assurance.Apart && !twin {
		return "it fails without the lines of that, and passes where they alone are changed"
	}
	called := s.called(p)
	if missing := s.missing(f, p, called); missing != "" {
		return "it does nothing with " + missing
	}
	if twin || p.Tie == assurance.Shown || s.reaches(f, p, called) {
		return ""
	}
	return "it does not reach " + f.Symbol
}

// twin reports whether a test is of another function than a finding, to which the change
// did the same: a defect that is seen through several functions is one finding.
func (s Proofs) twin(f qa.Finding, p Proof) bool {
	one, other := related.Site{Path: f.Path, Symbol: f.Symbol}, related.Site{Path: p.Source, Symbol: p.Target}
	if one == other {
		return false
	}
	edit := s.edit(one)
	return edit != "" && edit == s.edit(other)
}

// edit is what the change did to a function, empty where that says too little.
func (s Proofs) edit(at related.Site) string {
	for _, c := range s.Code.Graph().Find(at.Symbol) {
		if c.Path == at.Path {
			return related.Edits(context.Background(), s.Code, at.Path)(c.Function.Lines)
		}
	}
	return ""
}

// called are the functions that a test is about and those that its text names as calls.
func (s Proofs) called(p Proof) []related.Site {
	out := []related.Site{{Path: p.Source, Symbol: p.Target}}
	names := each.Added(nil, each.Of(calling.FindAllStringSubmatch(p.Code, -1), func(m []string) string { return m[1] })...)
	for _, name := range names[:min(len(names), mostFollowed)] {
		for _, at := range s.Code.Graph().Find(name) {
			if !at.Function.Test {
				out = each.Added(out, related.Site{Path: at.Path, Symbol: at.Function.Name})
			}
		}
	}
	return out
}

var calling = pattern.New(`([\pL_$][\pL\pN_$]*)\s*\(`)

// reaches reports whether a test has something to do with the function of a finding: it
// names it, or what it calls runs it, or is run by it.
func (s Proofs) reaches(f qa.Finding, p Proof, called []related.Site) bool {
	at := related.Site{Path: f.Path, Symbol: f.Symbol}
	if f.Symbol != "" {
		return says(p.Code, f.Symbol) || !s.known(at) || s.connected(called, at)
	}
	users := s.Code.Users(f)
	return len(users) == 0 || slices.ContainsFunc(users, func(u outline.Caller) bool {
		return s.connected(called, related.Site{Path: u.Path, Symbol: u.Function.Name})
	})
}

// connected reports whether one of some functions runs a function, or is run by it.
func (s Proofs) connected(called []related.Site, at related.Site) bool {
	return slices.ContainsFunc(called, func(c related.Site) bool { return related.Connected(s.Code, c, at) })
}

// known reports whether a function is one of the code that was looked through.
func (s Proofs) known(at related.Site) bool {
	return slices.ContainsFunc(s.Code.Graph().Find(at.Symbol), func(c outline.Caller) bool { return c.Path == at.Path })
}

// says reports whether a text has the name of a function, or of the class of one whose
// name no caller writes.
func says(text, symbol string) bool {
	owner, own, method := strings.Cut(symbol, ".")
	if !method {
		own = symbol
	}
	own = own[strings.LastIndexByte(own, '.')+1:]
	if method && (strings.HasPrefix(own, "__") || own == "constructor") {
		own = owner
	}
	return regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(own) + `(?:$|[^\w$])`).MatchString(text)
}

// missing is a function that the trigger of a claim calls beside the one that it is about,
// neither of which runs the other, and that the test has nothing to do with: who claims
// that a reset goes unnoticed is not proven right by a test that never resets. A test that
// has to do with another one that the claim names shows it in that way.
func (s Proofs) missing(f qa.Finding, p Proof, called []related.Site) string {
	_, trigger, told := strings.Cut(f.Message, "Shown by: ")
	if !told || f.Symbol == "" {
		return ""
	}
	trigger = done(trigger)
	set := p.Code + "\n" + related.BesideTests(s.Code, p.Path)
	about := slices.Concat(called, []related.Site{{Path: f.Path, Symbol: f.Symbol}})
	lacking := ""
	for _, fn := range s.beside(f.Path) {
		own := fn.Symbol[strings.LastIndexByte(fn.Symbol, '.')+1:]
		switch {
		case says(set, own):
			if written(f.Message, own) && !says(f.Symbol, own) && !says(p.Target, own) {
				return "" // one of several ways to show it
			}
		case lacking == "" && written(trigger, own) && !s.connected(about, fn):
			lacking = own
		}
	}
	return lacking
}

// done is what a trigger says is done, before it says what comes of that.
func done(trigger string) string {
	if at := outcome.FindStringIndex(trigger); at != nil {
		trigger = trigger[:at[0]]
	}
	for at := 0; ; {
		i := strings.Index(trigger[at:], ": ")
		if i < 0 {
			return trigger
		}
		at += i
		open := func(one, other string) bool {
			return strings.Count(trigger[:at], one) != strings.Count(trigger[:at], other)
		}
		if !open("(", ")") && !open("{", "}") && !open("[", "]") && strings.Count(trigger[:at], "`")%2 == 0 {
			return trigger[:at]
		}
		at += len(": ")
	}
}

// outcome is where a trigger comes from what is done to what comes of it, and why it is
// wrong: functions that are named there need not run.
var outcome = pattern.New(`(?i)\b(?:returns?|gives?|expected|should|must|instead|rejects?|raises?|throws?|panics?|ends|as)\b`)

// beside are the functions of a file, and of its package where a folder is one.
func (s Proofs) beside(file string) (out []related.Site) {
	graph := s.Code.Graph()
	for _, other := range graph.Files() {
		together := other == file || language.Of(file).Project.FolderIsPackage && path.Dir(other) == path.Dir(file)
		if kind, _, _ := change.Classify(other, nil); !together || kind == qa.KindTest {
			continue
		}
		for _, fn := range graph.View(other).Functions() {
			if !fn.Test {
				out = append(out, related.Site{Path: other, Symbol: fn.Name})
			}
		}
	}
	return out
}

// written reports whether prose names a function as code: called, behind a dot, between
// ticks, or with a capital or a line where no word has one. The first word of a sentence is
// a name where what it does or when it runs stands behind it.
func written(prose, name string) bool {
	if len(name) < 3 {
		return false
	}
	quoted := regexp.QuoteMeta(name)
	if regexp.MustCompile(`(?:^|[^\w$])` + quoted + `\(|[\w)]\.` + quoted + `(?:$|[^\w$])|` + "`" + quoted + "`").MatchString(prose) {
		return true
	}
	if inner.MatchString(name[1:]) {
		return says(prose, name)
	}
	return inner.MatchString(name) && regexp.MustCompile(`[\pL\pN,;)] `+quoted+`(?:$|[^\w$])|(?:^|[.:!?] )`+quoted+`,? (?:runs?|is|and|while|during|between|before|after|returns)\b`).MatchString(prose)
}

var inner = pattern.New(`[\p{Lu}_]`)

// handedIn is a difference that nobody claimed, or whose test was handed in for a claim that
// it does not show: then that is said.
func (s Proofs) handedIn(findings []qa.Finding, p Proof, told qa.Finding) qa.Finding {
	i := s.named(findings, p)
	if i < 0 {
		return told
	}
	told.Message += fmt.Sprintf(". It was handed in for %s and does not show that: %s", findings[i].Rule.ID, s.untied(findings[i], p))
	return told
}
