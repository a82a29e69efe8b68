package jsonfile

import (
	"bufio"
	"cmp"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The format in which reporters of ours tell what fails outside of tests, where the
// runner's own report leaves it out: {"outsideOfTests": [{"file", "message"}]}.

func IsOutside(head []byte) bool { return collect.StartsLine(head, beginsOutside) }

func beginsOutside(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool { return key == "outsideOfTests" })
}

func ReadOutside(r *bufio.Reader, c *collect.Collector) error {
	listed := false
	doc := collect.Document{Begins: beginsOutside, Want: `a list "outsideOfTests"`, Listed: func() bool { return listed }, Member: func(s *jsonscan.Scanner, key string) {
		if key != "outsideOfTests" {
			return
		}
		listed = s.Next() == jsonscan.Array
		s.Array(func() {
			var file, message string
			s.Object(func(key []byte) {
				switch string(key) {
				case "file":
					file = collect.Name(s)
				case "message":
					message = collect.Prose(s, collect.MaxMessage)
				}
			})
			if s.Err() == nil {
				c.Problem(qa.OutsideTests, cmp.Or(c.Place(file), file, "the test command"), message)
			}
		})
	}}
	return doc.Read(r, c)
}
