package libtest

import (
	"encoding/json"
	"strings"

	"github.com/org/qa-action/internal/testreport/collect"
)

// maxErrors of one target are told.
const maxErrors = 20

// rustBuild follows the messages of cargo test --message-format json.
type rustBuild struct {
	c      *collect.Collector
	suites map[string]string // the target of a program, by its path
	known  bool
	bad    bool
	errors map[string][]string // what the compiler said, by target
	places map[string]bool     // of errors: a library is compiled twice
	order  []string
}

func newRustBuild(c *collect.Collector) rustBuild {
	return rustBuild{c: c, suites: map[string]string{}, errors: map[string][]string{}, places: map[string]bool{}}
}

// rustMessage is what is read of a message of cargo.
type rustMessage struct {
	Reason     string `json:"reason"`
	PackageID  string `json:"package_id"`
	Success    *bool  `json:"success"`
	Executable string `json:"executable"`
	Target     struct {
		Kind []string `json:"kind"`
		Name string   `json:"name"`
	} `json:"target"`
	Message struct {
		Level    string `json:"level"`
		Rendered string `json:"rendered"`
	} `json:"message"`
}

// message takes one line in; false when it is no message of cargo.
func (b *rustBuild) message(line []byte) bool {
	var m rustMessage
	if json.Unmarshal(line, &m) != nil || m.Reason == "" {
		return false
	}
	b.known = true
	suite := m.suite()
	switch {
	case m.Reason == "build-finished":
		b.bad = m.Success != nil && !*m.Success
	case m.Reason == "compiler-artifact" && m.Executable != "" && b.c.Room.Take(collect.OfNames, len(suite)):
		b.suites[m.Executable] = suite
	case m.Reason == "compiler-message" && m.Message.Level == "error" && !strings.HasPrefix(m.Message.Rendered, "error: aborting due to"):
		text := strings.TrimSpace(m.Message.Rendered)
		head, rest, _ := strings.Cut(text, "\n")
		place, _, _ := strings.Cut(rest, "\n")
		key := suite + head[:min(len(head), len("error[E0000]"))] + place
		if said := b.errors[suite]; len(said) < maxErrors && !b.places[key] {
			b.places[key] = true
			b.errors[suite] = append(said, text)
			if said == nil {
				b.order = append(b.order, suite)
			}
		}
	}
	return true
}

// suite names a target as cargo-nextest does: the package for its library, else
// the package, the kind of target and its name.
func (m rustMessage) suite() string {
	// path+file:///work/pack#0.1.0, path+file:///work/dir#pack@0.1.0,
	// registry+https://…#pack@0.1.0
	url, id, _ := strings.Cut(m.PackageID, "#")
	pkg, _, named := strings.Cut(id, "@")
	if !named {
		pkg = url[strings.LastIndexByte(url, '/')+1:]
	}
	kind := ""
	if len(m.Target.Kind) > 0 {
		kind = m.Target.Kind[0]
	}
	switch kind {
	case "test":
		return pkg + "::" + m.Target.Name
	case "bin", "example", "bench":
		return pkg + "::" + kind + "/" + m.Target.Name
	}
	return pkg
}

// finish says what did not compile.
func (b *rustBuild) finish() {
	for _, suite := range b.order {
		b.c.Problem("build", collect.CleanName([]byte(suite)), collect.Clean([]byte(strings.Join(b.errors[suite], "\n")), collect.MaxMessage))
	}
	if b.bad && len(b.order) == 0 {
		b.c.Problem("build", "cargo", "the build did not finish; its standard error says why")
	}
}
