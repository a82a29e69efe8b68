package lineage

import (
	"slices"
	"strings"
)

// constructors are methods that objects are made by also where a class has none of its own.
var constructors = []string{"__init__", "__new__", "__post_init__", "constructor"}

// Constructed is the class whose objects a method makes, empty for what is no constructor.
func Constructed(symbol string) string {
	class, ok := "", false
	if i := strings.LastIndexByte(symbol, '.'); i > 0 {
		class = symbol[:i]
		ok = slices.Contains(constructors, symbol[i+1:]) || symbol[i+1:] == class[strings.LastIndexByte(class, '.')+1:]
	}
	if !ok {
		return ""
	}
	return class
}
