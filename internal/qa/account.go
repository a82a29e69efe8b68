package qa

// FileClass says what the run saw of a changed file.
type FileClass string

// The classes of a changed file, from the strongest claim to none. Executed,
// Loaded and Compiled are about code; RunAsTest is a file whose own cases are
// in a report; Read was opened by what ran; Inert was opened by nothing, and
// the whole suite ran; Unseen means that the run cannot tell.
const (
	Executed  FileClass = "executed"
	Loaded    FileClass = "loaded"
	Compiled  FileClass = "compiled"
	RunAsTest FileClass = "test"
	Read      FileClass = "read"
	Inert     FileClass = "inert"
	Unseen    FileClass = "unseen"
)

// FileClasses lists all classes in report order.
func FileClasses() []FileClass {
	return []FileClass{Executed, Loaded, Compiled, RunAsTest, Read, Inert, Unseen}
}

// FileAccount is what the run can show of one changed file.
type FileAccount struct {
	Path     string    `json:"path"`
	Class    FileClass `json:"class"`
	Evidence string    `json:"evidence"` // where it is seen: "3 of 4 changed lines ran"
	// Weak marks evidence that other causes explain as well, such as a runner
	// that opens every file of the tree.
	Weak bool `json:"weak,omitempty"`
}

// Rename is a test that has another name on head than on base.
type Rename struct {
	From string `json:"from"` // id on base
	To   string `json:"to"`   // id on head
}

// FailureGroup is failing tests that fail with the same normalised message.
type FailureGroup struct {
	Message string   `json:"message"` // one line, normalised
	Triage  Triage   `json:"triage"`
	Count   int      `json:"count"`
	Tests   []string `json:"tests"` // the first ids, at most [GroupNames]
}

// GroupNames is how many tests a group names.
const GroupNames = 5
