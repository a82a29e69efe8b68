package finding

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/pattern"

	"gopkg.in/yaml.v3"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// dismissal is one entry of the dismissals file.
type dismissal struct {
	Fingerprint string `yaml:"fingerprint"`
	Reason      string `yaml:"reason"`
	By          string `yaml:"by"`
	Expires     string `yaml:"expires"`
	Note        string `yaml:"note"` // free text for the reader: rule, path
}

var fingerprintForm = pattern.New(`^[0-9a-f]{16}$`)

// parseDismissals reads the dismissals file (.github/qa-dismissals.yml):
//
//	dismissals:
//	  - fingerprint: 3f2a9c0d11aa42b7
//	    reason: the value is a public test key
//	    by: alice
//	    expires: 2027-01-31
//
// A reason is required; without expires a dismissal holds for ever. The result
// is by fingerprint; all problems are returned at once, each with its line.
func parseDismissals(data []byte) (map[string]qa.Dismissal, error) {
	const file = "parse dismissals"
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	var doc struct {
		Dismissals []yaml.Node `yaml:"dismissals"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	out := map[string]qa.Dismissal{}
	var problems []error
	complain := func(n yaml.Node, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s: line %d: %s", file, n.Line, fmt.Sprintf(format, args...)))
	}
	for _, node := range doc.Dismissals {
		if key := unknownKey(node); key != "" {
			complain(node, "unknown key %q, valid keys are fingerprint, reason, by, expires, note", key)
			continue
		}
		var d dismissal
		if err := node.Decode(&d); err != nil {
			complain(node, "%v", err)
			continue
		}
		switch {
		case !fingerprintForm.MatchString(d.Fingerprint):
			complain(node, "fingerprint %q is not 16 hexadecimal digits", d.Fingerprint)
		case strings.TrimSpace(d.Reason) == "":
			complain(node, "dismissing %s needs a reason", d.Fingerprint)
		case out[d.Fingerprint].Reason != "":
			complain(node, "fingerprint %s is dismissed twice", d.Fingerprint)
		default:
			if _, err := time.Parse(time.DateOnly, d.Expires); d.Expires != "" && err != nil {
				complain(node, "expires %q is not a date like 2027-01-31", d.Expires)
			}
			out[d.Fingerprint] = qa.Dismissal{Reason: wording.Cut(strings.TrimSpace(wording.Plain(d.Reason)), 300), By: wording.Cut(strings.TrimSpace(wording.Plain(d.By)), 100), Expires: d.Expires}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out, nil
}

// unknownKey names the first key of an entry that means nothing.
func unknownKey(n yaml.Node) string {
	if n.Kind != yaml.MappingNode {
		return ""
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i].Value; !slices.Contains([]string{"fingerprint", "reason", "by", "expires", "note"}, k) {
			return k
		}
	}
	return ""
}

// said is what the file, or else a comment on the pull request, has to say of a
// finding. A fingerprint is made of the code: what is dismissed comes back when its
// code changes.
func (s settlement) said(print string) (qa.Dismissal, bool) {
	if d, ok := s.dismissals[print]; ok {
		return d, true
	}
	for prefix, d := range s.Commented {
		if len(prefix) >= markDigits && strings.HasPrefix(print, prefix) {
			return d, true
		}
	}
	return qa.Dismissal{}, false
}

// markDigits are how many digits of a fingerprint name a finding at least.
const markDigits = 8

// dismiss sets findings aside that the file or a comment in the code dismisses
// and says which dismissals do not hold.
func dismiss(found []entry, listed func(print string) (qa.Dismissal, bool), now time.Time) (warnings []string) {
	for i := range found {
		e := &found[i]
		if e.f.Status != qa.StatusNew {
			continue
		}
		if d, ok := listed(e.f.Fingerprint); ok && e.fresh {
			warnings = append(warnings, fmt.Sprintf("the dismissal of %s in %s does not hold: the file parsed on base and does no longer", e.f.Fingerprint, e.f.Path))
			continue
		} else if ok {
			e.f.Dismissal = &d
			if d.Expired = expired(d.Expires, now); d.Expired {
				warnings = append(warnings, fmt.Sprintf("the dismissal of %s in %s expired on %s: the finding counts again", e.f.Fingerprint, e.f.Path, d.Expires))
				continue
			}
			e.f.Status = qa.StatusDismissed
			continue
		}
		reason, where, ok := inline(e)
		switch {
		case !ok:
		case e.fresh:
			warnings = append(warnings, fmt.Sprintf("%s:%d: qa:ignore does nothing here: the file parsed on base and does no longer", e.f.Path, where))
		case reason == "":
			warnings = append(warnings, fmt.Sprintf("%s:%d: qa:ignore without a reason does nothing; write qa:ignore %s and why", e.f.Path, where, e.f.Rule.ID))
		default:
			e.f.Status = qa.StatusDismissed
			e.f.Dismissal = &qa.Dismissal{Reason: wording.Cut(strings.TrimSpace(wording.Plain(reason)), 300), By: fmt.Sprintf("comment on line %d", where)}
		}
	}
	slices.Sort(warnings)
	return slices.Compact(warnings)
}

func expired(date string, now time.Time) bool {
	end, err := time.Parse(time.DateOnly, date)
	return err == nil && !now.IsZero() && now.UTC().After(end.AddDate(0, 0, 1))
}

// ignoreMark is the comment that dismisses a finding in the code. The rule may
// be written with or without its engine.
var ignoreMark = pattern.New(`qa:ignore[ \t]+([^\s]+)[ \t]*([^\r\n]*)`)

// inline looks for the comment on the finding's first line and the line above.
func inline(e *entry) (reason string, line int, ok bool) {
	for _, n := range []int{e.f.Lines.Start, e.f.Lines.Start - 1} {
		m := ignoreMark.FindStringSubmatch(e.file.Line(n))
		if m == nil {
			continue
		}
		_, bare, _ := strings.Cut(e.f.Rule.ID, "/")
		for want := range strings.SplitSeq(m[1], ",") {
			if want == e.f.Rule.ID || want == bare || want == e.group {
				return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(m[2]), "*/->}")), n, true
			}
		}
	}
	return "", 0, false
}
