package syntax

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/odvcencio/gotreesitter"
	"github.com/odvcencio/gotreesitter/grammars"
)

// parseTime bounds one parse. Ordinary files take milliseconds; a few shapes
// make the parser explode, and hostile files will have them.
const parseTime = 20 * time.Second

// pool keeps parsers, a few for each grammar: making one takes longer than
// reading a small file with it. A sync.Pool would forget them at every second
// garbage collection, and every fourth one under the race detector.
type pool struct {
	language func() *gotreesitter.Language
	idle     chan *gotreesitter.Parser
}

func newPool(language func() *gotreesitter.Language) *pool {
	const kept = 4
	return &pool{language: language, idle: make(chan *gotreesitter.Parser, kept)}
}

var (
	javaScript = newPool(grammars.JavascriptLanguage)
	typeScript = newPool(grammars.TypescriptLanguage)
	tsx        = newPool(grammars.TsxLanguage)
	python     = newPool(grammars.PythonLanguage)
	rust       = newPool(grammars.RustLanguage)
	java       = newPool(grammars.JavaLanguage)
)

func (p *pool) get() *gotreesitter.Parser {
	select {
	case parser := <-p.idle:
		return parser
	default:
	}
	parser := gotreesitter.NewParser(p.language())
	parser.SetTimeoutMicros(uint64(parseTime.Microseconds()))
	return parser
}

func (p *pool) put(parser *gotreesitter.Parser) {
	select {
	case p.idle <- parser:
	default: // enough are kept
	}
}

// parseSitter copies the library's tree into ours, so that its arena can go and
// nothing else of this package depends on it. A panic of the library becomes an
// error: its input is hostile and it is young.
func parseSitter(from *pool, src []byte) (t *Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	if err := nesting(src); err != nil {
		return nil, err
	}
	t, err = readSitter(from, src, func(p *gotreesitter.Parser) (*gotreesitter.Tree, error) {
		return p.ParseStrict(src)
	})
	if err != nil || !t.Broken {
		return t, err
	}
	// One TypeScript file in fifteen, mostly for parameters with defaults, is
	// good but broken in the eyes of the library's main algorithm. Its other
	// one reads those; it is second for it takes f<A<B>>(x) for comparisons.
	again, err := readSitter(from, src, func(p *gotreesitter.Parser) (*gotreesitter.Tree, error) {
		if parsed, ok := p.ParseForestExperimental(src); ok {
			return parsed, nil
		}
		return nil, errDeclined
	})
	if err == nil && !again.Broken {
		return again, nil
	}
	return t, nil
}

var errDeclined = errors.New("not read by the second algorithm")

// reading is held while the library reads, and as long as a tree of it is used. After a
// second attempt at a broken file it looks at the tree that lost, and releases it, once
// more than it may: whoever reads beside it has got that tree for its own by then.
var reading sync.Mutex

func readSitter(from *pool, src []byte, parse func(*gotreesitter.Parser) (*gotreesitter.Tree, error)) (*Tree, error) {
	reading.Lock()
	defer reading.Unlock()
	parser := from.get()
	parsed, err := parse(parser)
	from.put(parser) // one that panicked does not come back
	if parsed != nil {
		defer parsed.Release()
	}
	if errors.Is(err, gotreesitter.ErrParseStoppedEarly) {
		return nil, fmt.Errorf("not parsed within the limits of %s and memory: %w", parseTime, err)
	}
	if err != nil {
		return nil, err
	}
	t := &Tree{Src: src, Lines: lineStarts(src)}
	copier := sitterCopy{lang: from.language(), tree: t}
	if t.Root, err = copier.copy(parsed.RootNode(), "", nil, 0); err != nil {
		return nil, err
	}
	// The root of a file that starts or ends with white space may leave it out.
	t.Root.Start, t.Root.End = 0, len(src)
	return t, nil
}

// sitterCopy makes a tree of ours. A file has tens of thousands of nodes, which live as long
// as each other: they are made many at once.
type sitterCopy struct {
	lang     *gotreesitter.Language
	tree     *Tree
	nodes    []Node
	children []*Node
}

// together is how many are made at once.
const together = 512

// node is a new one with room for its children.
func (c *sitterCopy) node(children int) *Node {
	if len(c.nodes) == 0 {
		c.nodes = make([]Node, together)
	}
	if len(c.children) < children {
		c.children = make([]*Node, max(children, together))
	}
	n := &c.nodes[0]
	n.Children, c.nodes, c.children = c.children[:0:children], c.nodes[1:], c.children[children:]
	return n
}

func (c *sitterCopy) copy(from *gotreesitter.Node, field string, parent *Node, depth int) (*Node, error) {
	if from == nil {
		return nil, errors.New("the parser returned no tree")
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	if from.IsError() || from.IsMissing() {
		c.tree.Broken = true
	}
	size, count := len(c.tree.Src), from.ChildCount()
	n := c.node(count)
	n.Kind, n.Field, n.Named, n.Parent = kindName(from.Type(c.lang)), field, from.IsNamed(), parent
	n.Start = min(int(from.StartByte()), size)
	n.End = max(n.Start, min(int(from.EndByte()), size))
	for i := range count {
		child, err := c.copy(from.Child(i), from.FieldNameForChild(i, c.lang), n, depth+1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// kindName gives comments the one name that they have in all languages.
func kindName(kind string) string {
	if kind == "line_comment" || kind == "block_comment" {
		return "comment"
	}
	return kind
}
