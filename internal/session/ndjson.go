package session

import (
	"bytes"
	"encoding/json"
	"time"
)

// ndjson is a file of the session with one JSON value in each line, which only
// grows.
type ndjson struct {
	disk *disk
	name string
	now  func() time.Time
}

// maxLine bounds one line, in bytes.
const maxLine = 16 << 10

// line is a value as it is appended, with the line's end.
func line(value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return append(raw, '\n'), nil
}

// fits tells whether a line is short enough to be appended.
func fits(line []byte) bool { return len(line)-1 <= maxLine }

// parseLines gives each line that is a T to use.
func parseLines[T any](data []byte, use func(T)) {
	for line := range bytes.Lines(data) {
		var value T
		if json.Unmarshal(line, &value) == nil {
			use(value)
		}
	}
}

func (l ndjson) append(line []byte) error { return l.disk.add(l.name, line) }

func (l ndjson) read() ([]byte, error) { return l.disk.read(l.name) }
