package qa

import (
	"github.com/org/qa-action/internal/pattern"
)

// volatile are the parts of a test's name that differ from run to run although
// the test is the same: places in a temporary directory, addresses, identifiers
// and times. The order matters: what is longer comes first.
var volatile = []struct {
	form *pattern.Pattern
	as   string
}{
	{pattern.New(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`), "<uuid>"},
	{pattern.New(`(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s'"` + "`" + `,;:)\]}>]+`), "<tmp>"},
	{pattern.New(`(?i)\b[a-z]:\\(?:[^\s'"\\]+\\)*te?mp\\[^\s'"` + "`" + `,;)\]}>]+`), "<tmp>"},
	// Go writes lines for the spaces in a test's name.
	{pattern.New(`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ _](?:\d{1,2}[ _])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:[ _]\d{1,2})?[ _]\d{4}[ _]\d\d:\d\d:\d\d(?:[ _]GMT[+-]\d{4})?(?: \([^)]*\))?`), "<time>"},
	{pattern.New(`\btime\.Date\(\d{4},[ _]time\.\w+(?:,[ _]\d+){5},[ _]time\.\w+(?:\([^()]*\))?\)`), "<time>"},
	// Two forms of one moment are two tests.
	{pattern.New(`(\b|_)\d\d:\d\d:\d\d(?:[.,]\d+)?[ _]\d{4}-\d\d-\d\d\b`), "$1<time> <date>"},
	{pattern.New(`(\b|_)\d\d[-/.]\d\d[-/.]\d{4},?[ _]\d\d:\d\d:\d\d(?:[.,]\d+)?\b`), "$1<date> <time>"},
	{pattern.New(`(\b|_)\d{4}-\d\d-\d\d[T _]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`), "$1<time>"},
	{pattern.New(`\b1[5-9]\d{8}(?:\d{3}){0,3}(?:\.\d+)?\b`), "<time>"},
	{pattern.New(`\b0x[0-9a-fA-F]{6,16}\b`), "<address>"},
	{pattern.New(`\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{2,5}\b`), "$1:<port>"},
	{pattern.New(`(?i)\b(port)([ =:]+)\d{4,5}\b`), "$1$2<port>"},
	{pattern.New(`(?i)\b(pid)([ =:]+)\d+\b`), "$1$2<pid>"},
}

// Stable is a test's name or message without the parts that differ between two
// runs of the same test.
func Stable(text string) string {
	for _, v := range volatile {
		text = v.form.ReplaceAllString(text, v.as)
	}
	return text
}
