package qa

// Evidence says how far a finding is backed (design: three tiers).
type Evidence string

// The tiers: proven by a test that ran, corroborated by an engine or by a second reader
// of what a model claims, suspected (folded, never gates, never annotates).
const (
	Proven       Evidence = "proven"
	Corroborated Evidence = "corroborated"
	Suspected    Evidence = "suspected"
)

// FindingStatus is a finding's place in the ledger across pushes.
type FindingStatus string

// The finding statuses. Only new ones count and annotate; known ones stood
// before the change; dismissed ones carry a [Dismissal]; intended ones are asserted
// by tests of the change.
const (
	StatusNew        FindingStatus = "new"
	StatusKnown      FindingStatus = "known"
	StatusDismissed  FindingStatus = "dismissed"
	StatusFixed      FindingStatus = "fixed"
	StatusPersisting FindingStatus = "persisting"
	StatusReopened   FindingStatus = "reopened"
	StatusIntended   FindingStatus = "intended"
)

// Rule names what was violated.
type Rule struct {
	ID   string `json:"id"` // engine-qualified: "gosec/G204"
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Dismissal says who set a finding aside, why, and until when (date
// 2006-01-02, empty for never).
type Dismissal struct {
	Reason  string `json:"reason"`
	By      string `json:"by,omitempty"`
	At      string `json:"at,omitempty"` // RFC 3339, of one that was said in a comment
	Expires string `json:"expires,omitempty"`
	Expired bool   `json:"expired,omitempty"`
}

// Finding is one problem in one place.
type Finding struct {
	ID string `json:"id"` // SCOUT-ISSUE-n, in rank order
	// Fingerprint is stable when lines shift: it is made of rule or
	// perspective, path and the normalised quote.
	Fingerprint  string        `json:"fingerprint"`
	Rule         Rule          `json:"rule"`
	Severity     Severity      `json:"severity"`
	Perspectives []Perspective `json:"perspectives"`
	Engines      []string      `json:"engines"`
	Path         string        `json:"path"`
	Lines        Range         `json:"lines"` // head lines; zero for a whole file
	Column       int           `json:"column,omitempty"`
	Symbol       string        `json:"symbol,omitempty"` // enclosing function
	Quote        string        `json:"quote,omitempty"`  // redacted source text
	Message      string        `json:"message"`
	Suggestion   string        `json:"suggestion,omitempty"`
	Fix          *Fix          `json:"fix,omitempty"` // where the fix is mechanical
	CWE          []string      `json:"cwe,omitempty"` // "CWE-89"
	Evidence     Evidence      `json:"evidence"`
	Status       FindingStatus `json:"status"`
	Owners       []string      `json:"owners,omitempty"`
	Dismissal    *Dismissal    `json:"dismissal,omitempty"`
	Proof        *Proof        `json:"proof,omitempty"`
	Also         []Proof       `json:"also,omitempty"`          // further tests that show it
	KnownPattern string        `json:"known_pattern,omitempty"` // defect pattern of the history it matches
	Fresh        bool          `json:"fresh,omitempty"`         // of a function to which nothing of before the change leads
}

// Fix puts lines in the place of others of the finding's file. New is empty where they
// only go away.
type Fix struct {
	Lines Range    `json:"lines"` // head lines
	Old   []string `json:"old"`   // the lines as they are, without their ends
	New   []string `json:"new"`
}

// Proof is the test that shows a finding.
type Proof struct {
	Test    string `json:"test"`
	Path    string `json:"path"`
	Code    string `json:"code,omitempty"`
	Base    Status `json:"base"`
	Head    Status `json:"head"`
	Runs    int    `json:"runs"`
	Message string `json:"message,omitempty"`
	// Regression is true for pass on base and fail on head; false is
	// "reproduced, pre-existing".
	Regression bool `json:"regression"`
	// Races says that the test fails where the race detector watches, and passes without it.
	Races bool `json:"races,omitempty"`
	// Mutant is what the test noticed on base and does not notice as the change has it.
	Mutant *Mutant `json:"mutant,omitempty"`
	// Announced are the change's own words that announce the difference, Asserted the
	// test of the change that asserts it.
	Announced string `json:"announced,omitempty"`
	Asserted  string `json:"asserted,omitempty"`
}

// Mutant is a wrong version of one place of the code.
type Mutant struct {
	Path        string `json:"path"`
	Line        int    `json:"line"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
}

// Counts reports whether the finding takes part in score, gate and annotations.
func (f Finding) Counts() bool { return f.Brought() && f.Evidence != Suspected }

// Folded reports whether the finding would count if more than one opinion backed it.
func (f Finding) Folded() bool { return f.Brought() && f.Evidence == Suspected }

// Brought reports whether the change brought the finding, or brought it back.
func (f Finding) Brought() bool { return f.Status == StatusNew || f.Status == StatusReopened }

// Pending reports whether a finding is the claim of a model, of some weight, that neither
// a test nor a second reader has shown to stand. Where nothing stood before, only what is
// high weighs something.
func (f Finding) Pending() bool {
	least := Medium
	if f.Fresh {
		least = High
	}
	return f.Folded() && f.Severity.AtLeast(least) && f.Opinion()
}

// Opinion reports that nobody but a model says so.
func (f Finding) Opinion() bool { return len(f.Engines) == 1 && f.Engines[0] == "model" }

// Open reports whether a finding counts, or may come to count before the run ends.
func (f Finding) Open() bool { return f.Counts() || f.Pending() }

// InFull is how many of the findings, which are in rank order, are shown in
// full where at most limit shall be: no new critical or high one is left out.
// Zero or less is no limit. It never changes what counts.
func InFull(findings []Finding, limit int) int {
	if limit <= 0 || limit >= len(findings) {
		return len(findings)
	}
	for limit < len(findings) && findings[limit].Counts() && findings[limit].Severity.AtLeast(High) {
		limit++
	}
	return limit
}

// Engine says what one scan engine did, for the manifest.
type Engine struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	State   string `json:"state"`            // ran, missing, skipped, failed, timeout
	Reason  string `json:"reason,omitempty"` // why it is not "ran", with the next step
	// Gap is what nobody looked at in its place: "3 Python files"; empty where
	// its not having run leaves the scan complete.
	Gap string `json:"gap,omitempty"`
	// Unseen are changed files that it should have looked at and did not, with the
	// reason.
	Unseen map[string]string `json:"unseen,omitempty"`
	// Reviewed are the changed files that it was shown whole; of engines that read
	// every text it is empty.
	Reviewed []string `json:"reviewed,omitempty"`
	// Alike are changed files that it was not shown because their whole edit is that of
	// another one, with that one, which it was shown.
	Alike map[string]string `json:"alike,omitempty"`
	// Optional says that nobody asked for it: it would see more if it were installed.
	Optional bool    `json:"optional,omitempty"`
	Findings int     `json:"findings"`
	Seconds  float64 `json:"seconds"`
}
