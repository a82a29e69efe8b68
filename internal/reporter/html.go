package reporter

import (
	"embed"
	"html/template"
	"io"

	"github.com/org/qa-action/internal/qa"
)

//go:embed page.html
var htmlFiles embed.FS

// renderHTML writes report.html: one file that loads nothing and runs nothing.
func renderHTML(w io.Writer, r *qa.Report, o Options) error {
	t, err := template.New("page.html").ParseFS(htmlFiles, "page.html")
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
