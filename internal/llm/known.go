package llm

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// step is how simple a reply format an endpoint needs: the list of them is tried from the top.
type step int

const (
	stepSchema step = iota // response_format json_schema, strict
	stepObject             // response_format json_object
	stepPrompt             // the schema in the prompt alone
)

// known is what was learnt of a model and its endpoint.
type known struct {
	step    step
	dropped []string // parameters that it refuses
	window  int      // tokens of prompt and reply together; zero is not known
	share   float64  // of the estimated tokens of a prompt that were really there
	most    int      // the longest reply that it lets be asked for
	thinks  bool     // it used up a whole reply with thoughts
	silent  bool     // it does not say what a reply cost
	renamed string   // the name under which it answered
}

// thinking is how much more room a reply has for a model that thinks first.
const thinking = 4

// models are what was learnt of each; what a person should know of it is told once.
type models struct {
	mu  sync.Mutex
	log io.Writer
	of  map[string]*known
}

// learn changes what is known of a model, and gives it.
func (m *models) learn(model string, edit func(*known)) known {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.of[model]
	if k == nil {
		k = &known{}
		m.of[model] = k
	}
	edit(k)
	out := *k
	out.dropped = slices.Clone(k.dropped)
	return out
}

// knows is what is known of a model.
func (m *models) knows(model string) known { return m.learn(model, func(*known) {}) }

// droppable parameters are left out when an endpoint refuses them.
var droppable = []string{"temperature", "seed", "max_completion_tokens"}

// downgrade reacts to a 400: it asks for a shorter reply where the message has its
// limit, or drops the parameter that the message names, else goes on to the next reply
// format. It reports whether anything changed.
func (m *models) downgrade(model string, f *fault) (changed bool) {
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity {
		return false
	}
	m.learn(model, func(k *known) {
		if most := named(f.message, namedMost); most >= leastReply && (k.most == 0 || most < k.most) {
			k.most, changed = most, true
			fmt.Fprintf(m.log, "model %s writes at most %s tokens: no more is asked for from now on\n", model, strconv.Itoa(most))
			return
		}
		for _, p := range droppable {
			if f.says(p) && !slices.Contains(k.dropped, p) {
				k.dropped, changed = append(k.dropped, p), true
				fmt.Fprintf(m.log, "model %s refuses %s: left out from now on\n", model, p)
				return
			}
		}
		if k.step < stepPrompt && (f.message == "" || f.says("response_format", "schema", "json", "grammar")) {
			k.step++
			changed = true
			fmt.Fprintf(m.log, "model %s refuses the reply format: one step simpler from now on\n", model)
		}
	})
	return changed
}

// named takes note of the name under which a model answered: a gateway may have
// another one in its place.
func (m *models) named(model, answered string) {
	if answered == "" || answered == model {
		return
	}
	m.learn(model, func(k *known) {
		if k.renamed != answered {
			k.renamed = answered
			fmt.Fprintf(m.log, "model %s answers as %s\n", Name(model), Name(answered))
		}
	})
}
