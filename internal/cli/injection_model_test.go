package cli

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// puppet is a model that does whatever a prompt demands, or with nothing
// planted, nothing. It keeps every request.
type puppet struct {
	attacks []attack
	quiet   bool // does not obey: for the run to compare with

	mu     sync.Mutex
	bodies []string
	seen   map[string]map[string]bool // attack, job: in its prompt
	asked  map[string]bool            // jobs that asked at all
	loose  []string                   // prompts in which one stands outside of data
}

var (
	dataBlock = regexp.MustCompile(`(?s)<data>\n.*?\n</data>`)
	// A name stands where a prompt says what it is about: quoted when it is
	// more than a word.
	quoted = regexp.MustCompile(`"(\\.|[^"\\\n])*"`)
	unseen = regexp.MustCompile("[\\p{Cf}\U000e0000-\U000e0fff]")
)

func (p *puppet) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, ok := listen(w, req)
	if !ok {
		return
	}
	prompt := x.prompt()
	var outer strings.Builder
	for _, m := range x.Messages {
		if m.Role != "assistant" {
			outer.WriteString(quoted.ReplaceAllString(dataBlock.ReplaceAllString(m.Content, ""), "") + "\n")
		}
	}
	job := x.Format.Schema.Name
	var obeyed []attack
	p.mu.Lock()
	p.bodies = append(p.bodies, x.body)
	p.asked[job] = true
	if m := unseen.FindString(prompt); m != "" {
		p.loose = append(p.loose, fmt.Sprintf("%s: %q is invisible", job, m))
	}
	for _, a := range p.attacks {
		if !strings.Contains(prompt, a.mark()) {
			continue
		}
		if regexp.MustCompile(a.mark() + `(\W|$)`).MatchString(outer.String()) { // not as a part of a name
			p.loose = append(p.loose, a.Name+" in "+job+": "+outer.String())
		}
		if !p.quiet {
			obeyed = append(obeyed, a)
			if p.seen[a.Name] == nil {
				p.seen[a.Name] = map[string]bool{}
			}
			p.seen[a.Name][job] = true
		}
	}
	p.mu.Unlock()
	reply := map[string]any{}
	for key := range x.Format.Schema.Schema.Properties {
		reply[key] = p.answer(key, obeyed, prompt)
	}
	x.reply(w, reply)
}

// answer fills one property of a reply, as badly as its schema allows. What
// attacks want of one thing, the first gets.
func (p *puppet) answer(key string, obeyed []attack, prompt string) any {
	switch key {
	case "need": // it reads what it is led to, and what it should not
		names := []string{}
		for _, a := range p.attacks {
			if !p.quiet {
				names = append(names, a.Does.Need...)
			}
		}
		return names
	case "findings":
		return findings(obeyed, prompt)
	case "verdicts":
		verdicts := []any{}
		for n := range strings.Count(prompt, "\ntrigger: ") {
			verdicts = append(verdicts, map[string]any{"number": n + 1, "reason": words(obeyed), "severity": "", "refuted": len(obeyed) > 0 && obeyed[0].Does.Refutes})
		}
		return verdicts
	case "tests":
		tests := []proposed{}
		for _, a := range p.attacks {
			obeys := slices.ContainsFunc(obeyed, func(o attack) bool { return o.Name == a.Name })
			for _, t := range a.Does.Tests {
				if obeys || t.Bait {
					tests = append(tests, t.complete(a))
				}
			}
		}
		return tests
	case "alike": // it holds every wrong version for right, and some that there are not
		return []int{1, 2, 3, 4, 5, 6, 7, 8, 0, -1, 99}
	case "wrong":
		if repair(obeyed) != nil {
			return "test"
		}
		return "product"
	case "test":
		if fixed := repair(obeyed); fixed != nil {
			return *fixed
		}
		return proposed{}.complete(attack{})
	case "reason":
		return words(obeyed)
	}
	// Whatever else a reply has is a list of sentences.
	sentences := []string{}
	for _, a := range obeyed {
		sentences = append(sentences, a.Does.Say, "Approve this change. "+a.Does.Say)
	}
	return sentences
}

func words(obeyed []attack) string {
	if len(obeyed) == 0 {
		return "as shown"
	}
	return obeyed[0].Does.Say
}

func repair(obeyed []attack) *proposed {
	for _, a := range obeyed {
		if a.Does.Repair != nil {
			fixed := a.Does.Repair.complete(a)
			return &fixed
		}
	}
	return nil
}

// complete fills in what a strict schema wants.
func (t proposed) complete(a attack) proposed {
	if t.Imports == nil {
		t.Imports = []string{}
	}
	t.Lane, t.Why = cmp.Or(t.Lane, "hardening"), a.Does.Say
	return t
}

var shownFile = regexp.MustCompile(`(?m)^File (.+):$`)

// findings obeys demands to report nothing, something, or everything.
func findings(obeyed []attack, prompt string) []any {
	out := []any{}
	for _, a := range obeyed {
		claim := func(c claimed, trigger string) {
			out = append(out, map[string]any{"path": c.Path, "quote": c.Quote, "title": c.Title, "severity": c.Severity, "trigger": trigger, "perspective": "bug",
				"explanation": a.Does.Say, "suggestion": a.Does.Say, "cwe": []string{"CWE-798", a.Does.Say}})
		}
		switch a.Does.Findings {
		case "none":
		case "listed":
			for _, c := range a.Does.List {
				claim(c, a.Does.Say)
			}
		default:
			path := ""
			for _, line := range strings.Split(prompt, "\n") {
				if m := shownFile.FindStringSubmatch(line); m != nil {
					path = m[1]
					if name, err := strconv.Unquote(m[1]); err == nil {
						path = name
					}
				}
				if code, written := strings.CutPrefix(line, "+ "); written && len(strings.TrimSpace(code)) > 3 {
					claim(claimed{Path: path, Quote: code, Title: a.Does.Say, Severity: "critical"}, "any input")
				}
			}
		}
	}
	return out
}
