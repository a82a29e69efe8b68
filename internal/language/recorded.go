package language

import "github.com/org/qa-action/internal/pattern"

// Recorded reports a file of expectations that a program wrote: a snapshot, a golden file.
func Recorded(path string) bool { return recorded.MatchString(path) }

var recorded = pattern.New(`(?i)\.(snap|ambr|golden)$|\.golden\.\w+$|(^|/)(__snapshots__|__file_snapshots__|goldens?|snapshots)/[^/]+$`)
