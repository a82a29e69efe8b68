package testreport

import (
	"io"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// ReadFrom reads one report from a stream; name stands for the file in
// messages and is where relative paths are looked up from. See [Read].
func ReadFrom(r io.Reader, name string, o Options) (qa.Suite, error) {
	places, err := collect.NewPlaces(o.Root, o.Dir)
	if err != nil {
		return qa.Suite{}, err
	}
	defer places.Close()
	return read(r, name, o, places)
}
