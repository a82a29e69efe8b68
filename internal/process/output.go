package process

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// output carries both streams of a program from its pipes to what keeps them.
type output struct {
	kept           *Capture
	stdout, stderr stream
	wait           sync.WaitGroup
}

type stream struct {
	reader, writer *os.File
	sink           sink
}

func newOutput(c Command) (*output, error) {
	o := &output{kept: NewCapture(c)}
	o.stdout.sink, o.stderr.sink = o.kept.stdout, o.kept.stderr
	for _, s := range []*stream{&o.stdout, &o.stderr} {
		var err error
		if s.reader, s.writer, err = os.Pipe(); err != nil {
			o.close()
			return nil, fmt.Errorf("open pipe: %w", err)
		}
	}
	return o, nil
}

// Capture keeps, redacts and passes on what a program prints, as a Command asks
// for. Run uses one itself; it is exported for programs that run elsewhere, in
// another container.
type Capture struct{ stdout, stderr sink }

// sink is where one stream goes.
type sink struct {
	io.Writer
	kept      *capped
	redacting io.Closer // nil without secrets
}

// NewCapture looks at MaxOutput, Live, Stdout and Redact of the command.
func NewCapture(c Command) *Capture {
	var live *shared
	if c.Live != nil {
		live = &shared{w: c.Live}
	}
	limit := c.MaxOutput
	if limit <= 0 {
		limit = defaultMaxOutput
	}
	newSink := func(extra io.Writer) sink {
		s := sink{kept: &capped{limit: limit}}
		to := []io.Writer{s.kept} // none of them fails, so that none stops the others
		if live != nil {
			to = append(to, live)
		}
		if extra != nil {
			to = append(to, &shared{w: extra})
		}
		s.Writer = io.MultiWriter(to...)
		if c.Redact != nil {
			w := c.Redact.Writer(s.Writer)
			s.Writer, s.redacting = w, w
		}
		return s
	}
	return &Capture{newSink(c.Stdout), newSink(nil)}
}

// Stdout is where the standard output goes.
func (c *Capture) Stdout() io.Writer { return c.stdout }

// Stderr is where the standard error goes.
func (c *Capture) Stderr() io.Writer { return c.stderr }

// Fill ends the capture and puts what was kept into a result.
func (c *Capture) Fill(res *Result) {
	c.stdout.close()
	c.stderr.close()
	res.Stdout, res.Stderr = c.stdout.kept.bytes(), c.stderr.kept.bytes()
	res.Truncated = c.stdout.kept.dropped > 0 || c.stderr.kept.dropped > 0
}

func (s sink) close() {
	if s.redacting != nil {
		_ = s.redacting.Close() // the sinks behind never fail
	}
}

// copy starts copying; it is called once the program runs, because our end of
// the write side must be closed for the copy to end.
func (o *output) copy() {
	for _, s := range []*stream{&o.stdout, &o.stderr} {
		_ = s.writer.Close()
		o.wait.Go(func() {
			// An error is the deadline of finish: what was read is kept.
			_, _ = io.CopyBuffer(onlyWriter{s.sink}, onlyReader{s.reader}, make([]byte, 64<<10))
		})
	}
}

// finish waits for the copies and gives what they kept. A process we may not kill could
// hold a pipe open for ever, so the wait has an end.
func (o *output) finish(res *Result) {
	deadline := time.Now().Add(drainTime)
	_ = o.stdout.reader.SetReadDeadline(deadline)
	_ = o.stderr.reader.SetReadDeadline(deadline)
	o.wait.Wait()
	o.kept.Fill(res)
}

func (o *output) close() {
	for _, f := range []*os.File{o.stdout.reader, o.stdout.writer, o.stderr.reader, o.stderr.writer} {
		if f != nil {
			_ = f.Close() // a second close of the write ends is harmless
		}
	}
}

// onlyWriter and onlyReader hide ReadFrom and WriteTo, which would bypass the
// buffer.
type onlyWriter struct{ io.Writer }
type onlyReader struct{ io.Reader }

// shared serialises writes and gives up after the first error, so that a
// closed log never stops a program.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w != nil {
		if _, err := s.w.Write(p); err != nil {
			s.w = nil
		}
	}
	return len(p), nil
}

// capped keeps the head and the tail of a stream.
type capped struct {
	limit   int64
	head    []byte
	tail    []byte
	dropped int64
}

func (w *capped) Write(p []byte) (int, error) {
	n := len(p)
	half := int(w.limit / 2)
	if room := half - len(w.head); room > 0 {
		take := min(room, len(p))
		w.head = append(w.head, p[:take]...)
		p = p[take:]
	}
	w.tail = append(w.tail, p...)
	// The tail may grow to twice its size before it is cut, so that cutting
	// costs one copy per half, not per write.
	if over := len(w.tail) - half; over > half {
		w.dropped += int64(over)
		w.tail = append(w.tail[:0], w.tail[over:]...)
	}
	return n, nil
}

func (w *capped) bytes() []byte {
	half := int(w.limit / 2)
	if over := len(w.tail) - half; over > 0 {
		w.dropped += int64(over)
		w.tail = w.tail[over:]
	}
	if w.dropped == 0 {
		return append(w.head, w.tail...)
	}
	out := append([]byte{}, w.head...)
	out = append(out, fmt.Sprintf("\n[... %d bytes dropped ...]\n", w.dropped)...)
	return append(out, w.tail...)
}
