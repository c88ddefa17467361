package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Readable is a record as JSON for people: moments are dates, lengths of time are in words, and
// what is empty is left out.
func Readable(record any) (string, error) {
	written, _ := readable(reflect.ValueOf(record))
	var text bytes.Buffer
	err := json.Indent(&text, []byte(written), "", "  ")
	return text.String() + "\n", err
}

// readable is a value as JSON, and false if it is empty.
func readable(v reflect.Value) (written string, ok bool) {
	switch value := v.Interface().(type) {
	case time.Time:
		return quoted(value.UTC().Format("2006-01-02 15:04:05 UTC")), !value.IsZero()
	case time.Duration:
		return quoted(inWords(value)), value != 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "null", false
		}
		return readable(v.Elem())
	case reflect.Struct:
		fields := fieldsOf(v)
		return "{" + strings.Join(fields, ",") + "}", len(fields) > 0
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			return "null", false
		}
		var all []string
		for i := range v.Len() {
			one, _ := readable(v.Index(i))
			all = append(all, one)
		}
		return "[" + strings.Join(all, ",") + "]", !v.IsZero()
	default:
		return quoted(v.Interface()), !v.IsZero()
	}
}

// quoted is a value as JSON, or why it has none.
func quoted(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return strconv.Quote(err.Error())
	}
	return string(text)
}

// fieldsOf are the fields of a record that are not empty, with those of a record within it.
func fieldsOf(v reflect.Value) (fields []string) {
	for i := range v.NumField() {
		about, value := v.Type().Field(i), v.Field(i)
		if about.Anonymous && value.Kind() == reflect.Struct {
			fields = append(fields, fieldsOf(value)...)
		} else if text, ok := readable(value); ok {
			fields = append(fields, quoted(about.Name)+":"+text)
		}
	}
	return fields
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
		if n != 0 {
			said = append(said, fmt.Sprintf("%d %s", n, unit.name)+map[bool]string{false: "s"}[n == 1])
		}
	}
	if said == nil {
		return "less than a second"
	}
	return strings.Join(said, " ")
}
