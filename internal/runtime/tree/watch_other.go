//go:build !linux

package tree

import "errors"

// watch is not to be had here; what is there in the end must do.
type watch struct{}

func newWatch(string, []string) (*watch, error) { return nil, errors.New("only on Linux") }
func (*watch) stirred() Stir                    { return newStir() }
func (*watch) close()                           {}
