package storage

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Readable is a record as JSON for people: moments are dates, lengths of time are in words, and
// what is empty is left out.
func Readable(record any) (string, error) {
	moments := json.MarshalFunc(func(at time.Time) ([]byte, error) { return json.Marshal(at.UTC().Format("2006-01-02 15:04:05 UTC")) })
	lengths := json.MarshalFunc(func(long time.Duration) ([]byte, error) { return json.Marshal(inWords(long)) })
	text, err := json.Marshal(
		record, json.WithMarshalers(json.JoinMarshalers(moments, lengths)), json.OmitZeroStructFields(true), json.Deterministic(true),
		json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true), jsontext.WithIndent("  "),
	)
	return string(text) + "\n", err
}

// inWords is a length of time, such as "3 days 2 hours".
func inWords(long time.Duration) string {
	var said []string
	for _, unit := range []struct {
		name string
		long time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		n := long / unit.long
		long -= n * unit.long
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
