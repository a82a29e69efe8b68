// Package quality turns evidence into the score, the gate table and the
// analyst's conclusions. It is pure: a [qa.Report] with the evidence goes in,
// numbers and sentences come out. Start at [Score] and [Judge].
//
// The model has no part in any of this.
package quality
