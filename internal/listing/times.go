package listing

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/org/qa-action/internal/qa"
)

// Times says where the time of a run went.
func Times(w io.Writer, m qa.Manifest) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "seconds\tprocessor\tprograms\t  phase")
	for _, t := range m.Times {
		fmt.Fprintf(table, "%.1f\t%.1f\t%d\t  %s\n", t.Seconds, t.Processor, t.Programs, t.Phase)
	}
	fmt.Fprintf(table, "%.1f\t\t\t  the whole run; phases run side by side, trace.json has every part\n", m.Seconds)
	_ = table.Flush() // as all that is printed
}
