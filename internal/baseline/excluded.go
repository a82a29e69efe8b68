package baseline

import (
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/role/executor"
)

// exclude notes which changed source files no test here can reach.
func exclude(b *Baseline, c checkout.Checkout, within string) {
	b.Untried = map[string]string{}
	for _, f := range c.Change.Of(qa.KindSource) {
		if why := Excluded(b, f.Path, c.Text(f.Path)); why != "" && f.Status != qa.Deleted && qa.Below(f.Path, within) {
			b.Untried[f.Path] = why
			if t, _ := b.Of(f.Path); len(b.Builds(t)) > 0 {
				b.takeBack(t.Name, f.Path+" was not tried ("+why+"); the workflow also runs "+some(b.Builds(t)))
			}
		}
	}
}

// Of is the target of a file; of several in one folder, one whose build reads it.
func (b *Baseline) Of(file string) (executor.Target, bool) {
	t, ok := b.Found.Of(file)
	return executor.Building(b.Runs, t, file), ok
}

// Excluded says why the toolchain leaves a file of Go or Rust out here, so that no test can
// run it; empty where it is built, or nobody knows.
func Excluded(b *Baseline, file string, src []byte) string {
	target, _ := b.Of(file)
	var compiled []string
	listed := false
	for _, run := range b.Runs {
		if run.Head.Coverage.File(file) != nil {
			return ""
		}
		compiled = append(compiled, run.Head.Seen.Compiled...)
		listed = listed || run.Target.Name == target.Name && len(run.Head.Seen.Compiled) > 0
	}
	return framework.LeftOut(file, src, compiled, listed, executor.Unopened(b.Runs, file))
}
