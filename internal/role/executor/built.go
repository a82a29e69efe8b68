package executor

import "slices"

// Building is a target of runs in the place of one whose build does not read a file: of
// those that run the same tests in the same folder, the first one that does.
func Building(runs []Baseline, t Target, file string) Target {
	for _, run := range runs {
		d := run.Target.Framework
		if d.Framework == t.Framework.Framework && d.Dir == t.Framework.Dir && slices.Contains(run.Head.Seen.Compiled, file) {
			return run.Target
		}
	}
	return t
}

// Unopened reports whether it could be seen that no run opened a file.
func Unopened(runs []Baseline, file string) bool {
	known := false
	for _, run := range runs {
		if slices.Contains(run.Head.Seen.Opened, file) {
			return false
		}
		known = known || slices.Contains(run.Head.Seen.Unopened, file)
	}
	return known
}
