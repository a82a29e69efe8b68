package qa

// GeneratedTest is a test the generator wrote, kept or dropped.
type GeneratedTest struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Layer  Layer  `json:"layer"`
	Lane   string `json:"lane"`             // hardening or catching
	Source string `json:"source,omitempty"` // file of what it tests
	Target string `json:"target"`           // and its name
	// Finding is the id of the one that it was written for.
	Finding string `json:"finding,omitempty"`
	Kept    bool   `json:"kept"`
	// Gate is the assurance gate (G0..G12) that dropped it, with the reason.
	Gate   string `json:"gate,omitempty"`
	Reason string `json:"reason,omitempty"`
	Base   Status `json:"base,omitempty"`
	Head   Status `json:"head,omitempty"`
	// Class is the meaning of base/head: guard, change-capturing,
	// regression-candidate, bad-or-old, new-api, new-code-fails.
	Class   string  `json:"class,omitempty"`
	Covers  []Range `json:"covers,omitempty"`
	Kills   int     `json:"kills,omitempty"`
	Code    string  `json:"code,omitempty"`
	Repairs int     `json:"repairs,omitempty"`
	// Origin is nil for a test that was written in this run.
	Origin *Origin `json:"origin,omitempty"`
}

// Origin is where a test is from that was evidence in an earlier run of the branch.
type Origin struct {
	Commit  string `json:"commit"`            // on which it failed
	Finding string `json:"finding"`           // fingerprint of what it proved
	Message string `json:"message,omitempty"` // of that finding
	Races   bool   `json:"races,omitempty"`   // it failed where the race detector watched
}
