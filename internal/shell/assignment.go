package shell

import (
	"github.com/org/qa-action/internal/pattern"
)

// Assignment begins a word that sets a variable.
var Assignment = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*=`)
