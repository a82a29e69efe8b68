// Package sink holds what a rendering depends on beside the report: the options of
// whoever sends it, and addresses on the code host.
package sink

// Options are what a rendering depends on beside the report. The zero value is
// a plain rendering without colours, links and source text.
type Options struct {
	// Budget overrides that of the reporter when it is not 0 (bytes).
	Budget int
	// Colour allows terminal escapes; see reporter.Colour.
	Colour bool
	// CI asks the console for plain lines in log groups instead of a screen.
	CI bool
	// Links builds addresses on the code host; the zero value links nothing.
	Links Links
	// Source reads a file of the head commit for annotated source; nil or an
	// error leaves the source out.
	Source func(path string) ([]byte, error)
	// Dir is the session directory relative to the workspace.
	Dir string
	// Written lists the names of the reporters whose files exist in Dir.
	Written []string
}
