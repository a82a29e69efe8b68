package assurance

import "time"

// A mutant may make code run for ever: it gets a multiple of what the same tests
// take without it.
const (
	mutantFactor = 5
	mutantFloor  = 5 * time.Second
)

func allowance(seconds float64) time.Duration {
	return mutantFloor + time.Duration(mutantFactor*seconds*float64(time.Second))
}

// Took is how long a run took, and whether it ended by itself.
type Took struct {
	Seconds float64
	Ended   bool
}

// Lateness says whose fault it is when a run with a mutant does not end.
type Lateness string

// The verdicts of [Late].
const (
	InTime    Lateness = "in time"   // it ended by itself
	TooLate   Lateness = "too late"  // it does not, and without the mutant it does
	Unsettled Lateness = "unsettled" // without the mutant it does not end either
)

// Late runs tests on a mutant under a time limit that follows from the seconds
// they usually take without it. When they do not end, a run without the mutant
// tells what they take on the machine as it is now; where the limit was tight by
// that measure, or a signal ended them, the mutant is run once more, and its
// last run counts.
func Late(usual float64, mutated func(limit time.Duration) (Took, error), plain func() (Took, error)) (Lateness, error) {
	limit := allowance(usual)
	took, err := mutated(limit)
	if err != nil || took.Ended {
		return InTime, err
	}
	control, err := plain()
	if err != nil || !control.Ended {
		return Unsettled, err
	}
	tight := 2*control.Seconds > limit.Seconds()
	signalled := took.Seconds < limit.Seconds()
	if tight || signalled {
		took, err = mutated(max(limit, allowance(control.Seconds)))
	}
	if err != nil || took.Ended {
		return InTime, err
	}
	return TooLate, nil
}
