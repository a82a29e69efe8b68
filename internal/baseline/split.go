package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// Split says which part of the suites a run runs, and by what they were divided: parts
// that were divided by other times are no parts of one whole.
type Split struct {
	config.Shard
	By string `json:"by,omitempty"` // digest of the times
}

// divide leaves of the targets what this run is to run: a part of each suite that can be
// run in parts, and of the others every so many.
func (m measurer) divide() {
	shard := m.Config.Shard
	if shard.Whole() {
		return
	}
	times, err := json.Marshal(m.Past.Seconds)
	if err != nil {
		times = nil // numbers that are none are in no history
	}
	sum := sha256.Sum256(times)
	m.b.Split = Split{shard, hex.EncodeToString(sum[:8])}
	m.b.Unrun = append(m.b.Unrun, fmt.Sprintf("this is part %d of %d; qa merge has the verdict on all parts", shard.Index, shard.Of))
	var whole []string
	for i, t := range m.b.Targets {
		if Divisible(t.Framework) {
			m.b.Targets[i].Part = &adapter.Part{Index: shard.Index, Of: shard.Of, Seconds: m.Past.Seconds}
		} else {
			whole = append(whole, t.Name)
		}
	}
	m.b.Targets = slices.DeleteFunc(m.b.Targets, func(t executor.Target) bool {
		at := slices.Index(whole, t.Name)
		return at >= 0 && at%shard.Of != shard.Index-1
	})
	if len(m.b.Targets) == 0 && len(whole) > 0 {
		m.b.Rows = append(m.b.Rows, qa.TargetRow{Name: whole[0], Dir: m.Config.WorkingDirectory, State: "inconclusive",
			Reason: fmt.Sprintf("no suite can be run in parts, and there are %d for %d shards; take at most as many", len(whole), shard.Of)})
	}
}

// Divisible reports whether a suite that was found can be run in parts.
func Divisible(d adapter.Detection) bool {
	a, err := framework.For(d.Framework)
	return err == nil && a.Parts != nil && a.Parts.Can(d)
}

// empty says why it cannot be that a part of a suite has no test: there are at least as
// many files with tests as parts. Where the files were listed, nobody need ask.
func (m measurer) empty(t executor.Target, head executor.Run) string {
	if t.Part == nil || !head.Empty || len(head.Suite.Cases) > 0 || Listed(t) {
		return ""
	}
	found := completeness{m.Checkout, m.Config.WorkingDirectory, m.b, false}.findTests(t.Framework.Dir, func(name string) bool { return m.b.owns(name, t.Framework.Dir) })
	if found.complete && len(found.tests) < t.Part.Of {
		return ""
	}
	return fmt.Sprintf("no test ran in part %d of %d, though there are %d files with tests", t.Part.Index, t.Part.Of, len(found.tests))
}

// Listed reports whether the units of a suite are listed and divided by us.
func Listed(t executor.Target) bool {
	a, err := framework.For(t.Framework.Framework)
	return err == nil && a.Parts != nil && a.Parts.List != nil
}
