// Package window keeps the latest samples of a measurement.
package window

import "slices"

// Window holds at most a fixed number of samples, oldest first.
type Window struct {
	size    int
	samples []float64
}

// New makes a window of size samples; a size below 1 is 1.
func New(size int) *Window { return &Window{size: max(1, size)} }

// Add appends samples; the oldest ones fall out.
func (w *Window) Add(samples ...float64) {
	w.samples = append(w.samples, samples...)
	if over := len(w.samples) - w.size; over > 0 {
		w.samples = slices.Delete(w.samples, 0, over)
	}
}

// Last is a copy of the latest n samples, oldest first; fewer when there are
// not as many.
func (w *Window) Last(n int) []float64 {
	n = min(max(0, n), len(w.samples))
	return slices.Clone(w.samples[len(w.samples)-n:])
}

// Mean is the mean of all samples, false when there is none.
func (w *Window) Mean() (float64, bool) {
	if len(w.samples) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, s := range w.samples {
		sum += s
	}
	return sum / float64(len(w.samples)), true
}
