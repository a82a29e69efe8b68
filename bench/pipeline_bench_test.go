package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/org/qa-action/internal/pipeline"
)

// BenchmarkPipeline runs four waves of six tasks at concurrency three and
// reports the wall time over that of the critical path alone, slept through in
// the same run (target: at most 1.05).
func BenchmarkPipeline(b *testing.B) {
	const waves, width, concurrency = 4, 6, 3
	const takes = 10 * time.Millisecond
	var tasks []pipeline.Task[int]
	for w := range waves {
		for i := range width {
			task := pipeline.Task[int]{ID: fmt.Sprintf("T%d-%d", w, i), Run: func(context.Context) (int, error) {
				time.Sleep(takes)
				return 0, nil
			}}
			for j := range width {
				if w > 0 {
					task.Needs = append(task.Needs, fmt.Sprintf("T%d-%d", w-1, j))
				}
			}
			tasks = append(tasks, task)
		}
	}
	var critical, wall time.Duration
	for b.Loop() {
		start := time.Now()
		for range waves * width / concurrency {
			time.Sleep(takes)
		}
		critical += time.Since(start)
		start = time.Now()
		r := pipeline.Runner[int]{Limits: pipeline.Limits{Concurrency: concurrency, Task: time.Minute, Budget: time.Hour}}
		if _, err := r.Run(b.Context(), tasks); err != nil {
			b.Fatal(err)
		}
		wall += time.Since(start)
	}
	b.ReportMetric(float64(wall)/float64(critical), "of-critical-path")
}
