package archive

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Readable is a record as JSON for people: moments are dates, lengths of time are in words, and
// what is empty is left out.
func Readable(record any) (string, error) {
	kept, _ := readable(reflect.ValueOf(record))
	text, err := json.MarshalIndent(kept, "", "  ")
	return string(text) + "\n", err
}

// object is the fields of a record, in their order.
type object []field

type field struct {
	name  string
	value any
}

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var fields []string
	for _, f := range o {
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		fields = append(fields, string(name)+":"+string(value))
	}
	return []byte("{" + strings.Join(fields, ",") + "}"), nil
}

// readable is a value as it is written, false if it is empty.
func readable(v reflect.Value) (any, bool) {
	switch value := v.Interface().(type) {
	case time.Time:
		return value.UTC().Format("2006-01-02 15:04:05 UTC"), !value.IsZero()
	case time.Duration:
		return inWords(value), value != 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil, false
		}
		return readable(v.Elem())
	case reflect.Struct:
		all := fieldsOf(v)
		return all, len(all) > 0
	case reflect.Slice, reflect.Array:
		var all []any
		for i := range v.Len() {
			value, _ := readable(v.Index(i))
			all = append(all, value)
		}
		return all, !v.IsZero() && len(all) > 0
	default:
		return v.Interface(), !v.IsZero()
	}
}

// fieldsOf are the fields of a record that are not empty, with those of a record within it.
func fieldsOf(v reflect.Value) (all object) {
	for i := range v.NumField() {
		about := v.Type().Field(i)
		value, ok := readable(v.Field(i))
		switch inner, within := value.(object); {
		case !ok:
		case about.Anonymous && within:
			all = append(all, inner...)
		default:
			all = append(all, field{about.Name, value})
		}
	}
	return all
}

// inWords is a length of time, such as "3 days 2 hours".
func inWords(d time.Duration) string {
	var said []string
	for _, unit := range []struct {
		name string
		long time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		n := d / unit.long
		d -= n * unit.long
		switch n {
		case 0:
		case 1:
			said = append(said, "1 "+unit.name)
		default:
			said = append(said, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	if said == nil {
		return "less than a second"
	}
	return strings.Join(said, " ")
}
