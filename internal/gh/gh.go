// Package gh is everything this program knows of GitHub: the event that started
// a run, the API, and the file and log commands of the runner. It is the only
// user of go-github and go-githubactions.
//
// Start at [ReadEvent] for what a run is about, [New] for the API and [NewJob]
// for the runner. Whatever comes from a payload or a reply is hostile: every
// field is optional, and text is bounded.
//
// Publishing is best effort: [ErrForbidden] is what a read-only token gets (pull
// requests of forks and Dependabot), and never the fault of the change.
package gh
