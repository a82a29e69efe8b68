package reporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// renderJSON writes report.json: the report as docs/report.schema.json
// describes it. Lists and maps that are part of the shape are [] and {}, never
// null.
func renderJSON(w io.Writer, r *qa.Report, _ Options) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var own qa.Report // a deep copy: the caller's report is not ours to change
	if err := json.Unmarshal(raw, &own); err != nil {
		return err
	}
	own.Schema = qa.ReportSchema
	fillEmpty(reflect.ValueOf(&own).Elem())
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(own)
}

// fillEmpty replaces nil slices and maps that would be written as null.
func fillEmpty(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillEmpty(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			fillEmpty(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Field(i)
			tag := v.Type().Field(i).Tag.Get("json")
			if k := field.Kind(); (k == reflect.Slice || k == reflect.Map) && field.IsNil() && !strings.Contains(tag, "omitempty") && tag != "-" {
				if k == reflect.Slice {
					field.Set(reflect.MakeSlice(field.Type(), 0, 0))
				} else {
					field.Set(reflect.MakeMap(field.Type()))
				}
			}
			fillEmpty(field)
		}
	}
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
