package a

import (
	"regexp"
	"sync"
	"time"
)

func Start(work []func()) {
	var wg sync.WaitGroup
	for _, w := range work {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w()
		}()
	}
	wg.Wait()
}

func Wait() {
	time.Sleep(5 * time.Millisecond)
}

func Count() map[string]int {
	m := map[string]int{}
	m["a"] = 1
	return m
}

// Word matches lower-case words.
var Word = regexp.MustCompile(`[a-z]`)
