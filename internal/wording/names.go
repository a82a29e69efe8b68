package wording

import "github.com/org/qa-action/internal/pattern"

var name = pattern.New(`[\pL_$][\pL\pN_$]*`)

// Names are the names in a piece of code, in their order; keywords are among them.
func Names(code string) []string { return name.FindAllString(code, -1) }
