package timing

import (
	"encoding/json"
	"time"
)

// event is one line of the Trace Event Format, which viewers of Chrome and Perfetto
// read: "complete" events with times in microseconds.
type event struct {
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	Kind     string         `json:"ph"`
	Start    int64          `json:"ts"`
	Length   int64          `json:"dur"`
	Process  int            `json:"pid"`
	Lane     int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// Trace writes spans, in the order that [Of] has, as a file for a viewer. Spans
// that overlap stand in lanes beside each other.
func Trace(spans []Span) ([]byte, error) {
	var lanes [][]time.Duration // the ends of what is open in each, innermost last
	events := make([]event, 0, len(spans))
	for _, s := range spans {
		e := event{
			Name: s.Name, Category: string(s.Phase), Kind: "X", Process: 1,
			Start: s.Start.Microseconds(), Length: (s.End - s.Start).Microseconds(),
		}
		if s.Processor > 0 {
			e.Args = map[string]any{"processor_ms": s.Processor.Milliseconds()}
		}
		e.Lane = lane(&lanes, s)
		events = append(events, e)
	}
	return json.Marshal(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}

// lane is the first in which a span fits: behind what is there, or inside of it.
func lane(lanes *[][]time.Duration, s Span) int {
	for i, open := range *lanes {
		for len(open) > 0 && open[len(open)-1] <= s.Start {
			open = open[:len(open)-1]
		}
		(*lanes)[i] = open
		if len(open) == 0 || s.End <= open[len(open)-1] {
			(*lanes)[i] = append(open, s.End)
			return i
		}
	}
	*lanes = append(*lanes, []time.Duration{s.End})
	return len(*lanes) - 1
}
