//go:build !linux

package stage

// Main is the entry of the stages, of which there are none here.
func Main([]string) (handled bool, exit int) { return false, 0 }
