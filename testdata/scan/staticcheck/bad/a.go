package a

import (
	"regexp"
	"sync"
	"time"
)

func Start(work []func()) {
	var wg sync.WaitGroup
	for _, w := range work {
		go func() {
			wg.Add(1)
			defer wg.Done()
			w()
		}()
	}
	wg.Wait()
}

func Wait() {
	time.Sleep(5)
}

func Count() map[string]int {
	var m map[string]int
	m["a"] = 1
	return m
}

var word = regexp.MustCompile(`[a-z`)

func forgotten() {}
