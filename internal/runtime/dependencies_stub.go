package runtime

// Dependencies says with whose installed packages a tree runs.
type Dependencies struct {
	Own    bool
	Shared string
}
