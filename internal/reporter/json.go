package reporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// renderJSON writes report.json: the report as docs/report.schema.json
// describes it. Lists and maps that are part of the shape are [] and {}, never
// null.
func renderJSON(w io.Writer, r *qa.Report, _ Options) error {
	own, err := qa.WithLists(*r) // a copy: the caller's report is not ours to change
	if err != nil {
		return err
	}
	own.Schema = qa.ReportSchema
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(own)
}

// MaxReport bounds a report.json that somebody else may have written, in bytes.
const MaxReport = 64 << 20

// ReportBounds are what it may consist of: of each value a decoder may make a
// whole finding.
var ReportBounds = jsonscan.Bounds{Values: 500_000, Depth: 64}

// Read reads a report.json back, strictly: unknown fields, a foreign schema
// version or trailing text are errors, and so is what is beyond the limits.
func Read(r io.Reader) (*qa.Report, error) {
	raw, err := ReportBounds.ReadAll(r, MaxReport)
	if err != nil {
		return nil, fmt.Errorf("read report.json: %w; a run that finds so much has to be made in parts (input working-directory)", err)
	}
	return Parse(raw)
}

// Parse is [Read] of what is in memory and within the limits.
func Parse(raw []byte) (*qa.Report, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var r qa.Report
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("parse report.json: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("parse report.json: text after the report")
	}
	if r.Schema < 1 || r.Schema > qa.ReportSchema {
		return nil, fmt.Errorf("parse report.json: schema %d, this version reads 1 to %d; render it with the version that wrote it", r.Schema, qa.ReportSchema)
	}
	return &r, nil
}
