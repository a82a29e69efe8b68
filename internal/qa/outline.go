package qa

// Function is one function, method or test of a source file.
type Function struct {
	// Name is qualified by its owner: "Server.Close", "outer.inner"; an
	// anonymous one is named by what holds it, else "anonymous@12".
	Name     string `json:"name"`
	Lines    Range  `json:"lines"` // from signature (with decorators) to closing line
	Body     Range  `json:"body"`  // zero when there is none
	Exported bool   `json:"exported,omitempty"`
	Test     bool   `json:"test,omitempty"`
	// Complexity is cyclomatic: 1 plus decision points.
	Complexity int      `json:"complexity"`
	Params     []string `json:"params,omitempty"`
	Calls      []string `json:"calls,omitempty"` // names as written, deduplicated, sorted
	Doc        string   `json:"doc,omitempty"`
	// Signature is the text up to the body, one line.
	Signature string `json:"signature,omitempty"`
	StartByte int    `json:"-"`
	EndByte   int    `json:"-"`
	// Types are those of its variables, as far as its text tells.
	Types map[string]Bound `json:"-"`
}

// Bound is what is known of the type of a variable: its name as written, empty where the
// text says several things. An exact one was made there; another may be one that is derived
// from it.
type Bound struct {
	Type  string
	Exact bool
}

// Import is one import of a source file.
type Import struct {
	Path  string   `json:"path"`            // as written
	Names []string `json:"names,omitempty"` // local names it binds
	// From are the same names on the other side, parallel to Names: "default"
	// and "*" stand for the default export and the whole module.
	From []string `json:"from,omitempty"`
	Line int      `json:"line"`
}

// Outline is the skeleton of a source file.
type Outline struct {
	Path      string     `json:"path"`
	Language  string     `json:"language"`
	Package   string     `json:"package,omitempty"`
	Functions []Function `json:"functions"` // by start line
	Imports   []Import   `json:"imports"`
	// Broken says that the parser met errors and the outline may be incomplete.
	Broken bool `json:"broken,omitempty"`
	// Types are those of variables outside of functions and of fields ("Server.conn"), Bases
	// what classes are derived from, both as far as the text tells.
	Types map[string]Bound `json:"-"`
	// Whole is what a module of JavaScript hands out in place of parts (module.exports = f).
	Whole string              `json:"-"`
	Bases map[string][]string `json:"-"`
}

// Enclosing is the innermost function that holds line, nil when none does.
func (o Outline) Enclosing(line int) *Function {
	var best *Function
	for i := range o.Functions {
		f := &o.Functions[i]
		if f.Lines.Contains(line) && (best == nil || f.Lines.Len() <= best.Lines.Len()) {
			best = f
		}
	}
	return best
}
