// Command when prints the free minutes of a day.
package main

import (
	"fmt"

	"example.com/when/clock"
	"example.com/when/interval"
)

func main() {
	for _, s := range interval.Merge([]interval.Span{{Start: 540, End: 600}, {Start: 590, End: 660}}) {
		fmt.Println(clock.Format(s.Start), clock.Format(s.End))
	}
}
