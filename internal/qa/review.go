package qa

// ReviewComment is a comment that stands at lines of a pull request's diff. Body and
// suggestions are already escaped.
type ReviewComment struct {
	// About names what it is about from run to run, in one word.
	About string
	Path  string
	Body  string
	// Spots are where it may stand, best first.
	Spots []Spot
}

// Spot is lines of the head commit at which a comment may stand.
type Spot struct {
	Lines Range
	// Seen are the first of these lines as the report knows them, without the space
	// around them: where the diff has others, the comment would be about something
	// else.
	Seen []string
	// Exact says that Seen are all of the lines, with their space.
	Exact bool
	// Suggestion is what follows the body when it stands here: a block that the code
	// host offers to put in the place of the lines.
	Suggestion string
}
