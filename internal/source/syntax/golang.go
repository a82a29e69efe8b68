package syntax

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"reflect"
	"strings"
)

// parseGo gives go/parser's tree in the shape of ours: kinds are the types of
// go/ast ("BinaryExpr"), fields theirs in lower case ("x", "op"), operators are
// unnamed children of their own. Comments are children of the root, and of the
// declaration they document under the field "doc".
func parseGo(src []byte) (*Tree, error) {
	if err := nesting(src); err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
	var syntax scanner.ErrorList
	if file == nil || err != nil && !errors.As(err, &syntax) {
		return nil, err
	}
	t := &Tree{Src: src, Lines: lineStarts(src), Broken: err != nil}
	c := goCopy{file: set.File(file.FileStart), size: len(src)}
	if c.file == nil { // nothing but a broken package clause
		return nil, err
	}
	t.Root = &Node{Kind: "File", End: len(src), Named: true}
	c.fields(t.Root, reflect.ValueOf(file).Elem(), 0)
	if c.deep {
		return nil, errDeep
	}
	return t, nil
}

type goCopy struct {
	file *token.File
	size int
	deep bool
}

func (c *goCopy) offset(pos token.Pos) int {
	if int(pos) < c.file.Base() {
		return 0
	}
	return min(int(pos)-c.file.Base(), c.size)
}

// fields adds the children that a struct of go/ast holds, in the order of its
// fields, which is the order of the source but for comments.
func (c *goCopy) fields(n *Node, v reflect.Value, depth int) {
	if depth > maxDepth {
		c.deep = true
		return
	}
	var pos token.Pos // of the operator that the next field names
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if skippedGo[field.Name] {
			continue
		}
		name := strings.ToLower(field.Name)
		switch value := v.Field(i).Interface().(type) {
		case token.Pos:
			pos = value
		case token.Token:
			if pos.IsValid() {
				start := c.offset(pos)
				n.Children = append(n.Children, &Node{
					Kind: value.String(), Field: name, Parent: n,
					Start: start, End: min(start+len(value.String()), c.size),
				})
			}
		case ast.Node:
			c.child(n, name, value, depth)
		default:
			if list := v.Field(i); list.Kind() == reflect.Slice {
				for j := range list.Len() {
					if item, ok := list.Index(j).Interface().(ast.Node); ok {
						c.child(n, name, item, depth)
					}
				}
			}
		}
	}
}

// skippedGo are fields that repeat other ones or lie outside of the tree.
var skippedGo = map[string]bool{
	"Scope": true, "Imports": true, "Unresolved": true, "Obj": true, "Opening": true,
	"FileStart": true, "FileEnd": true, "Comment": true, "ValuePos": true, "ValueEnd": true, "Kind": true,
}

func (c *goCopy) child(parent *Node, field string, from ast.Node, depth int) {
	v := reflect.ValueOf(from)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	n := &Node{
		Kind: v.Elem().Type().Name(), Field: field, Parent: parent, Named: true,
		Start: c.offset(from.Pos()), End: c.offset(from.End()),
	}
	n.End = max(n.End, n.Start)
	parent.Children = append(parent.Children, n)
	if n.Kind == "CommentGroup" {
		n.Kind = "comment"
		return
	}
	c.fields(n, v.Elem(), depth+1)
}
