//go:build !unix

package cli

// giveBack has nothing to do where files have no owner of this kind.
func giveBack(string, ...string) error { return nil }
