package topics

import "testing"

func TestPublishInOrder(t *testing.T) {
	var h Hub
	var got string
	h.Subscribe("a", func(e string) { got += "1" + e })
	h.Subscribe("a", func(e string) { got += "2" + e })
	if n := h.Publish("a", "x"); n != 2 || got != "1x2x" {
		t.Errorf("%d handlers, got %q", n, got)
	}
	if h.Seen("a") != 1 || h.Seen("b") != 0 {
		t.Error("events are counted wrongly")
	}
}

func TestCancel(t *testing.T) {
	var h Hub
	cancel := h.Subscribe("a", func(string) { t.Error("called after cancel") })
	cancel()
	if n := h.Publish("a", "x"); n != 0 {
		t.Errorf("%d handlers", n)
	}
}
