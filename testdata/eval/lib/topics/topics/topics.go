// Package topics hands events to the subscribers of their topic.
package topics

import (
	"sort"
	"sync"
)

// Handler is called with every event of a topic.
type Handler func(event string)

// Hub keeps subscriptions. The zero value is ready and safe for concurrent use.
type Hub struct {
	mu   sync.RWMutex
	subs map[string]map[int]Handler
	seen map[string]int
	next int
}

// Subscribe calls h for every later event of topic, until the returned
// function is called.
func (h *Hub) Subscribe(topic string, handler Handler) (cancel func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs == nil {
		h.subs = map[string]map[int]Handler{}
	}
	if h.subs[topic] == nil {
		h.subs[topic] = map[int]Handler{}
	}
	id := h.next
	h.next++
	h.subs[topic][id] = handler
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs[topic], id)
	}
}

// Publish calls all handlers of topic in the order of their subscription and
// reports how many there were. Handlers may subscribe and cancel.
func (h *Hub) Publish(topic, event string) int {
	h.mu.Lock()
	if h.seen == nil {
		h.seen = map[string]int{}
	}
	h.seen[topic]++
	handlers := h.ordered(topic)
	h.mu.Unlock()
	for _, handle := range handlers {
		handle(event)
	}
	return len(handlers)
}

// ordered needs the lock.
func (h *Hub) ordered(topic string) []Handler {
	ids := make([]int, 0, len(h.subs[topic]))
	for id := range h.subs[topic] {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	out := make([]Handler, len(ids))
	for i, id := range ids {
		out[i] = h.subs[topic][id]
	}
	return out
}

// Seen is the number of events published to topic.
func (h *Hub) Seen(topic string) int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.seen[topic]
}
