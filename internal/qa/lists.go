package qa

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// WithLists is a deep copy of v, as JSON carries it, whose lists and maps are
// [] and {} where they would be written as null. Those that are left out when
// empty stay left out, and a pointer to nothing stays null: that is unknown.
// v itself is left alone.
func WithLists[T any](v T) (T, error) {
	var own T
	raw, err := json.Marshal(v)
	if err != nil {
		return own, fmt.Errorf("copy %T: %w", v, err)
	}
	if err := json.Unmarshal(raw, &own); err != nil {
		return own, fmt.Errorf("copy %T: %w", v, err)
	}
	fillEmpty(reflect.ValueOf(&own).Elem(), true)
	return own, nil
}

// fillEmpty makes v an empty list or map when it is none and shown, and does
// the same below it.
func fillEmpty(v reflect.Value, shown bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillEmpty(v.Elem(), true)
		}
	case reflect.Slice:
		if v.IsNil() && shown {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillEmpty(v.Index(i), true)
		}
	case reflect.Map:
		if v.IsNil() && shown {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, key := range v.MapKeys() { // what is in a map can only be replaced
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			fillEmpty(value, true)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag.Get("json")
			if v.Type().Field(i).IsExported() {
				fillEmpty(v.Field(i), !strings.Contains(tag, "omitempty") && tag != "-")
			}
		}
	}
}
