package qa

// Revision is a file of the change before and after it; nil is no file.
type Revision struct {
	Path    string // on head, or on base where it is gone
	OldPath string // on base, where that is another
	Before  []byte
	After   []byte
}

// Weakening is one way in which a test of the change asserts less than it did on base.
type Weakening struct {
	// Rule says which: "assertion-removed", "skipped". docs/severity.md has them all.
	Rule string
	Path string // on head, or on base where the file is gone
	// Test is the test as it is called on head, or on base where it is gone; empty where
	// the whole file is meant.
	Test string
	// Was is the test as it was called on base; empty where nothing was there.
	Was   string
	Lines Range // on head, zero where nothing is left of it
	// Before and After are the lines that say it, in one line each; After may be empty.
	Before, After string
	// Calls are the names that the test called on base.
	Calls []string
	// Less says that the test asserts what it did and says nothing else than it did, and less.
	Less bool
}
