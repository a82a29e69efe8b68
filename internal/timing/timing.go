// Package timing notes where the time of a run goes: in which phase it was, and
// which programs worked for it. A [Log] is carried by a context; where there is none,
// nothing is noted. What it says is for people who want a run to be faster, and
// decides nothing.
package timing

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Phase is a part of the work that people know by name.
type Phase string

// The phases. Several of them may be under way at the same time.
const (
	Copy      Phase = "copy"
	Install   Phase = "install"
	Compile   Phase = "compile"
	Head      Phase = "head"
	Base      Phase = "base"
	Reruns    Phase = "reruns"
	Generated Phase = "mutants and generated tests"
	Engines   Phase = "engines"
	Model     Phase = "model"
	Report    Phase = "report"
)

// phases is the order in which they are shown.
var phases = []Phase{Copy, Install, Compile, Head, Base, Reruns, Generated, Engines, Model, Report}

// Span is a stretch of time, counted from the beginning of the log.
type Span struct {
	Phase      Phase // empty for what belongs to none
	Name       string
	Start, End time.Duration
	// Processor is what the program and those that it waited for used of the
	// processors; zero for a span that is no program.
	Processor time.Duration
}

// maxSpans bounds a log: what comes later is left out.
const maxSpans = 100_000

// Log is what was noted of one run. It is safe for concurrent use.
type Log struct {
	began time.Time
	mu    sync.Mutex
	spans []Span
}

// New begins a log.
func New() *Log { return &Log{began: time.Now()} }

type key struct{}

type place struct {
	log   *Log
	phase Phase
}

// In has everything that is done with the context noted in the log.
func (l *Log) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, key{}, place{log: l})
}

// Begin notes what is done with the context, until end is called, as one span of a
// phase. Programs that are run with it belong to the phase.
func Begin(ctx context.Context, phase Phase, name string) (_ context.Context, end func()) {
	at, ok := ctx.Value(key{}).(place)
	if !ok {
		return ctx, func() {}
	}
	start := time.Now()
	return context.WithValue(ctx, key{}, place{at.log, phase}), func() { at.log.note(at.log.span(phase, name, start)) }
}

// Of are the spans of the log that a context carries, by their start; none where it
// carries none.
func Of(ctx context.Context) []Span {
	if at, ok := ctx.Value(key{}).(place); ok {
		return at.log.spansByStart()
	}
	return nil
}

// Program notes a program that has just ended.
func Program(ctx context.Context, name string, start time.Time, processor time.Duration) {
	if at, ok := ctx.Value(key{}).(place); ok {
		s := at.log.span(at.phase, name, start)
		s.Processor = max(processor, 1) // a program that used nothing is one all the same
		at.log.note(s)
	}
}

func (l *Log) span(phase Phase, name string, start time.Time) Span {
	return Span{Phase: phase, Name: name, Start: start.Sub(l.began), End: time.Since(l.began)}
}

func (l *Log) note(s Span) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.spans) < maxSpans {
		l.spans = append(l.spans, s)
	}
}

// spansByStart are those noted so far; of two with one start the longer is first.
func (l *Log) spansByStart() []Span {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := slices.Clone(l.spans)
	slices.SortStableFunc(out, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return out
}

// Sum is what a phase took.
type Sum struct {
	Phase Phase
	// Wall is the time in which the phase was under way at least once, Processor what
	// its programs used of the processors.
	Wall, Processor time.Duration
	Programs        int
}

// Sums adds up the phases that there were. Phases run side by side: their sum may be
// longer than the run.
func Sums(spans []Span) []Sum {
	var out []Sum
	for _, phase := range phases {
		sum, until, any := Sum{Phase: phase}, time.Duration(0), false
		for _, s := range spans { // by start
			if s.Phase != phase {
				continue
			}
			any = true
			sum.Processor += s.Processor
			if s.Processor > 0 {
				sum.Programs++
			}
			if s.End > until {
				sum.Wall += s.End - max(s.Start, until)
				until = s.End
			}
		}
		if any {
			out = append(out, sum)
		}
	}
	return out
}
