package history

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// Digest is what one run leaves for later ones where there is room for a few
// kilobytes only, such as a check run: its baseline, and its ledger, so that the
// next push is compared with this one also without any other storage.
type Digest struct {
	Schema   int       `json:"schema"`
	Baseline *Baseline `json:"baseline,omitempty"`
	// Base is what the run knows of the commit that it was compared with.
	Base   *Baseline `json:"base,omitempty"`
	Ref    string    `json:"ref,omitempty"` // of the ledger
	Ledger *Ledger   `json:"ledger,omitempty"`
}

// maxUnpacked bounds what a digest may become.
const maxUnpacked = 8 << 20

// Pack writes a digest as one line of letters, digits, "-" and "_" with at most
// room bytes; "" when nothing useful fits. What does not fit is left out whole:
// what single tests executed first, then what files did, then names of opened files, then base, then names of tests,
// then coverage by file, then the tests of the ledger, then the ledger.
func (d Digest) Pack(room int) (string, error) {
	d.Schema = Schema
	var b Baseline
	if d.Baseline != nil {
		b = *d.Baseline
		d.Baseline = &b
	}
	less := func(how func(*qa.Execution) *qa.Execution) {
		b = b.withExecuted(how)
		if d.Base != nil {
			base := d.Base.withExecuted(how)
			d.Base = &base
		}
	}
	shrink := []func(){
		func() {},
		func() { less((*qa.Execution).Undetailed) },
		func() { less(unexecuted) },
		func() { b.Opened, b.Whole = nil, false },
		func() { d.Base = nil },
		func() { b.Suites, b.Failing, b.Cut = nil, nil, true },
		func() { b.Files, b.Cut = nil, true },
		d.withoutEvidence,
		func() { d.Ledger, d.Ref = nil, "" },
	}
	for _, step := range shrink {
		step()
		text, err := d.encode()
		if err != nil {
			return "", err
		}
		if len(text) <= room {
			return text, nil
		}
	}
	return "", nil
}

// withoutEvidence leaves the tests of the ledger out; the caller's keeps them.
func (d *Digest) withoutEvidence() {
	if d.Ledger != nil {
		ledger := *d.Ledger
		ledger.Evidence, d.Ledger = nil, &ledger
	}
}

func (d Digest) encode() (string, error) {
	raw, err := json.Marshal(d.fold())
	if err != nil {
		return "", fmt.Errorf("encode digest: %w", err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(raw)
		err = errors.Join(err, z.Close())
	}
	if err != nil {
		return "", fmt.Errorf("encode digest: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}

// Unpack reads what [Digest.Pack] wrote. A baseline whose numbers cannot be is
// an error.
func Unpack(text string) (Digest, error) {
	var d Digest
	z, err := gzip.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(text)))
	if err != nil {
		return d, fmt.Errorf("read digest: %w", err)
	}
	raw, err := bounds.ReadAll(z, maxUnpacked)
	if err != nil {
		return d, fmt.Errorf("read digest: %w", err)
	}
	var f folded
	if err := json.Unmarshal(raw, &f); err != nil {
		return Digest{}, fmt.Errorf("read digest: %w", err)
	}
	if d, err = f.unfold(); err != nil {
		return Digest{}, err
	}
	if d.Schema != Schema {
		return Digest{}, fmt.Errorf("read digest: schema %d, this version knows %d", d.Schema, Schema)
	}
	for _, b := range []*Baseline{d.Baseline, d.Base} {
		if b != nil && !b.possible() {
			return Digest{}, errors.New("read digest: more lines are covered than there are")
		}
	}
	return d, nil
}

// possible holds the counts of a baseline that somebody else wrote to what
// counts can be.
func (b Baseline) possible() bool {
	if b.Lines != nil && (b.Lines.Covered < 0 || b.Lines.Covered > b.Lines.Total) {
		return false
	}
	for _, c := range b.Files {
		if c.Covered < 0 || c.Covered > c.Total {
			return false
		}
	}
	return true
}
