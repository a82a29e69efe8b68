//go:build !linux

package tree

// watch is not to be had here; what is there in the end must do.
type watch struct{}

func newWatch(string, []string) *watch { return nil }
func (*watch) stirred() Stir           { return newStir() }
func (*watch) close()                  {}
