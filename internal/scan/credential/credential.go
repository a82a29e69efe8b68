// Package credential finds credentials in text, by gitleaks' rules.
package credential

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// credentialRules are the rules of gitleaks, as its own file has them. Only that
// file is taken from the library: its program walks histories and archives, and
// reads configurations of its own, which took a tenth of ours.
type credentialRules struct {
	Title, MinVersion string
	Rules             []*credentialRule
	Allowlist         *allowlist
	words             *ahocorasick.Trie
}

type credentialRule struct {
	ID, Description string
	Regex, Path     expression
	SecretGroup     int
	Entropy         float64
	Keywords        []string
	Allowlists      []*allowlist
}

// allowlist is what a rule does not mean.
type allowlist struct {
	Description, Condition string
	Paths, Regexes         []expression
	RegexTarget            string // match, line, or else the secret
	StopWords              []string
}

// expression is compiled when it is first used: of most rules no text has a word. The
// zero value matches nothing. One that cannot be compiled panics; a test compiles all.
type expression struct{ compiled func() *regexp.Regexp }

func (e *expression) UnmarshalText(text []byte) error {
	written := string(text)
	e.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(written) })
	return nil
}

func (e expression) in(text string) bool { return e.compiled != nil && e.compiled().MatchString(text) }

func anyIn(all []expression, text string) bool {
	return slices.ContainsFunc(all, func(e expression) bool { return e.in(text) })
}

// Credential is one that was found. Lines are counted from 1.
type Credential struct {
	Rule               *credentialRule
	match, Secret      string
	StartLine, EndLine int
	Column             int
}

// generic says that a rule guesses; one that knows what it found comes first.
func (c Credential) generic() bool { return strings.Contains(strings.ToLower(c.Rule.ID), "generic") }

// readRules reads the rules. What their file may say and is not known
// here is an error, so that no rule is half obeyed.
func readRules() (*credentialRules, error) {
	var r credentialRules
	dec := toml.NewDecoder(strings.NewReader(config.DefaultConfig))
	if err := dec.DisallowUnknownFields().Decode(&r); err != nil {
		return nil, fmt.Errorf("read the rules of gitleaks: %w", err)
	}
	var words []string
	for _, rule := range r.Rules {
		for i, k := range rule.Keywords {
			rule.Keywords[i] = strings.ToLower(k)
		}
		words = append(words, rule.Keywords...)
	}
	slices.Sort(words)
	r.words = ahocorasick.NewTrieBuilder().AddStrings(slices.Compact(words)).Build()
	return &r, nil
}

// Find looks for credentials in a text; path may be empty for one that is no
// file.
func (r *credentialRules) Find(path, text string) []Credential {
	if r.Allowlist.file(path) {
		return nil
	}
	has := map[string]bool{}
	lower := strings.ToLower(text)
	for _, m := range r.words.MatchString(lower) {
		has[m.MatchString()] = true
	}
	var found []Credential
	for _, rule := range r.Rules {
		relevant := len(rule.Keywords) == 0 || slices.ContainsFunc(rule.Keywords, func(k string) bool { return has[k] })
		if !relevant || rule.Path.compiled != nil && !rule.Path.in(path) || slices.ContainsFunc(rule.Allowlists, func(a *allowlist) bool { return a.file(path) }) {
			continue
		}
		found = append(found, r.matches(rule, path, text)...)
	}
	return slices.DeleteFunc(slices.Clone(found), func(c Credential) bool {
		return c.generic() && slices.ContainsFunc(found, func(better Credential) bool {
			return !better.generic() && better.StartLine == c.StartLine && strings.Contains(better.Secret, c.Secret)
		})
	})
}

// matches are the credentials that one rule finds.
func (r *credentialRules) matches(rule *credentialRule, path, text string) (found []Credential) {
	if rule.Regex.compiled == nil {
		return nil // it looks at names of files only
	}
	for _, at := range rule.Regex.compiled().FindAllStringIndex(text, -1) {
		c := Credential{Rule: rule, match: strings.Trim(text[at[0]:at[1]], "\n")}
		start, end := at[0], at[0]+len(c.match)
		// The line break in front of a match belongs to its line.
		before := strings.LastIndexByte(text[:min(start+1, len(text))], '\n')
		c.StartLine = strings.Count(text[:min(start+1, len(text))], "\n") + 1
		c.EndLine = max(c.StartLine, strings.Count(text[:end], "\n")+1)
		c.Column = start - max(before, 0) + 1
		line := text[max(before, 0):]
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			line = text[max(before, 0) : end+i]
		}
		c.Secret = rule.secret(c.match)
		if rule.Entropy != 0 && entropy(c.Secret) <= rule.Entropy || strings.Contains(line, "gitleaks:allow") {
			continue
		}
		allowed := func(a *allowlist) bool { return a.allows(c, line, path) }
		if !allowed(r.Allowlist) && !slices.ContainsFunc(rule.Allowlists, allowed) {
			found = append(found, c)
		}
	}
	return found
}

// secret is the part of a match that must not be seen.
func (r *credentialRule) secret(match string) string {
	groups := r.Regex.compiled().FindStringSubmatch(match)
	if r.SecretGroup > 0 && r.SecretGroup < len(groups) {
		return groups[r.SecretGroup]
	}
	for i, g := range groups {
		if i > 0 && g != "" {
			return g
		}
	}
	return match
}

func (a *allowlist) all() bool { return a != nil && strings.EqualFold(a.Condition, "AND") }

// file says that nothing in a file of this name is meant.
func (a *allowlist) file(path string) bool {
	if a == nil || path == "" || a.all() && len(a.Regexes)+len(a.StopWords) > 0 {
		return false
	}
	return anyIn(a.Paths, path)
}

// allows says that a match is not meant.
func (a *allowlist) allows(c Credential, line, path string) bool {
	if a == nil {
		return false
	}
	target := c.Secret
	switch a.RegexTarget {
	case "match":
		target = c.match
	case "line":
		target = line
	}
	lower := strings.ToLower(c.Secret)
	regex := target != "" && anyIn(a.Regexes, target)
	word := slices.ContainsFunc(a.StopWords, func(w string) bool { return strings.Contains(lower, strings.ToLower(w)) })
	if !a.all() {
		return regex || word
	}
	return (len(a.Paths) == 0 || path != "" && anyIn(a.Paths, path)) && (len(a.Regexes) == 0 || regex) && (len(a.StopWords) == 0 || word)
}

// entropy is Shannon's, in bits for each byte.
func entropy(text string) (bits float64) {
	counts := map[rune]int{}
	for _, r := range text {
		counts[r]++
	}
	for _, n := range counts {
		share := float64(n) / float64(len(text))
		bits -= share * math.Log2(share)
	}
	return bits
}
