package lineage

import (
	"strings"

	"github.com/org/qa-action/internal/source/outline"
)

// Constructed is the class whose objects a method makes, empty for what is no constructor.
// Those of Java are named as their class.
func Constructed(symbol string) string {
	if class := outline.CalledAs(symbol); class != symbol {
		return class
	}
	own := last(symbol)
	if class, method := strings.CutSuffix(symbol, "."+own); method && last(class) == own {
		return class
	}
	return ""
}
