package reporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

// Parse reads a report.json back, strictly: unknown fields, a foreign schema
// version or trailing text are errors. The caller bounds the size.
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
	if r.Schema != qa.ReportSchema {
		return nil, fmt.Errorf("parse report.json: schema %d, this version reads %d; render it with the version that wrote it", r.Schema, qa.ReportSchema)
	}
	return &r, nil
}
