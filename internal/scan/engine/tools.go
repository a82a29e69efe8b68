package engine

import (
	_ "embed"
	"encoding/csv"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/each"
)

// Tool is a program that engines run, at the version that is tested and baked
// into the image.
type Tool struct {
	Name    string
	Version string
	Install string // the command that installs it
	Purpose string
}

// toolsCSV is read by the image build and the Makefile too, so that one line
// decides a version everywhere.
//
//go:embed tools.csv
var toolsCSV string

// Tools lists the programs that engines run, for the image and `qa doctor`.
var Tools = sync.OnceValue(func() []Tool {
	records, err := csv.NewReader(strings.NewReader(toolsCSV)).ReadAll()
	if err != nil {
		panic(err) // part of the program, read by its tests
	}
	return each.Of(records[1:], func(r []string) Tool { return Tool{Name: r[0], Version: r[1], Install: r[2], Purpose: r[3]} })
})
