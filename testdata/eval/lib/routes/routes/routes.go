// Package routes finds the handler of a path; parts that begin with a colon
// stand for any one part.
package routes

import "strings"

type node struct {
	name     string // handler, empty when no route ends here
	children map[string]*node
	any      *node
	param    string
}

// Table is a set of routes. The zero value is ready.
type Table struct{ root node }

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// Add routes a pattern to a handler's name.
func (t *Table) Add(pattern, name string) {
	at := &t.root
	for _, part := range split(pattern) {
		if param, ok := strings.CutPrefix(part, ":"); ok {
			if at.any == nil {
				at.any = &node{param: param}
			}
			at = at.any
			continue
		}
		if at.children == nil {
			at.children = map[string]*node{}
		}
		if at.children[part] == nil {
			at.children[part] = &node{}
		}
		at = at.children[part]
	}
	at.name = name
}

// Find is the handler of a path with the values of its parameters; ok is false
// when no route fits. Literal parts win over parameters.
func (t *Table) Find(path string) (name string, params map[string]string, ok bool) {
	params = map[string]string{}
	at := &t.root
	for _, part := range split(path) {
		next := at.children[part]
		if next == nil && at.any != nil {
			next = at.any
			params[next.param] = part
		}
		if next == nil {
			return "", nil, false
		}
		at = next
	}
	if at.name == "" {
		return "", nil, false
	}
	return at.name, params, true
}
