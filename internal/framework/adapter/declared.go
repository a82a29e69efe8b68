package adapter

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Declared is a report that a custom command writes.
type Declared struct {
	Path   string `json:"path"`             // relative to the command's directory; may be a glob
	Format string `json:"format,omitempty"` // empty is detection by content
}

func DeclaredFile(r Declared, out string) qa.ReportFile {
	return qa.ReportFile{Path: strings.ReplaceAll(r.Path, "{out}", out), Format: r.Format}
}
