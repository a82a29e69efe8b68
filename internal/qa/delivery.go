package qa

// Delivery is what became of the kept tests beyond the patch, which is always
// there. It was refused when Reason says why, and then nothing was written.
type Delivery struct {
	Way    string `json:"way"`   // commit or pull-request
	Tests  int    `json:"tests"` // kept tests that were to be delivered
	Files  int    `json:"files"`
	Commit string `json:"commit,omitempty"` // empty when everything was there already
	URL    string `json:"url,omitempty"`
	Reason string `json:"reason,omitempty"`
}
