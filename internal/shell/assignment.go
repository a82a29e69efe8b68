package shell

import "regexp"

// Assignment begins a word that sets a variable.
var Assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
