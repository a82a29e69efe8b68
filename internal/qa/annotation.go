package qa

// Level is how loud an annotation is, in GitHub's words.
type Level string

// The annotation levels.
const (
	LevelFailure Level = "failure"
	LevelWarning Level = "warning"
	LevelNotice  Level = "notice"
)

// Annotation is a remark on lines of the head commit, already escaped for the
// sink it is meant for and cut to its limits.
type Annotation struct {
	Path    string `json:"path"`
	Lines   Range  `json:"lines"`
	Level   Level  `json:"level"`
	Title   string `json:"title"`
	Message string `json:"message"`
	Raw     string `json:"raw,omitempty"` // details, shown folded
}

// CheckOutput is the text of a check run with its annotations, best first.
type CheckOutput struct {
	Title       string
	Summary     string
	Text        string
	Annotations []Annotation
	Conclusion  string // success, failure, neutral, cancelled, timed_out
	// Carry is for later runs to read back: one line without angle brackets,
	// which people do not see.
	Carry string
}
