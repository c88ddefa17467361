package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"chimera/bot"
	"chimera/bot/match"
)

// The parts of an address that say what is seen of a game.
const (
	atPly   = "ply"
	asWhom  = "as"
	flipped = "flip"
	zones   = "zones"
	threats = "threats"
	plans   = "plan"
	line    = "line"
	how     = "how"
)

// lasting are the parts that stay when something is done.
var lasting = []string{asWhom, flipped, zones, threats} //nolint:gochecknoglobals // never written

// maxLine is how many moves of a line are looked at.
const maxLine = 40

// viewOf is what a request wants to see of a game.
func viewOf(r *http.Request) bot.BoardOptions {
	seen := url.Values(queryOf(r, atPly, flipped, zones, threats))
	v := bot.BoardOptions{Ply: match.Latest, Flip: seen.Get(flipped) != "", Zones: seen.Get(zones) != "", Threats: seen.Get(threats) != ""}
	if n, err := strconv.Atoi(seen.Get(atPly)); err == nil && n >= 0 {
		v.Ply = n
	}
	if r.FormValue(plans) != "" {
		v.Line = append([]string{}, r.Form[line][:min(len(r.Form[line]), maxLine)]...)
	}
	return v
}

// query is what an address says of a view.
type query url.Values

// maxValue is the length of the longest valid value. Longer ones are dropped, since pages repeat values in
// all of their links.
const maxValue = 8

func queryOf(r *http.Request, keys ...string) query {
	q := query{}
	for key, values := range r.URL.Query() {
		if slices.Contains(keys, key) && len(values[0]) <= maxValue {
			q[key] = values[:1]
		}
	}
	return q
}

// With is the query with other values, "" for none, in pairs after their keys.
func (q query) With(pairs ...any) string {
	all := url.Values{}
	for key, values := range q {
		all[key] = values
	}
	for pair := range slices.Chunk(pairs, 2) {
		key, _ := pair[0].(string)
		all.Del(key)
		switch value := pair[1].(type) {
		case string:
			if value != "" {
				all.Set(key, value)
			}
		case int:
			all.Set(key, strconv.Itoa(value))
		case []string:
			all[key] = value
		}
	}
	return "?" + all.Encode()
}

// Toggle is the query with a key that it has not, or without.
func (q query) Toggle(key string) string {
	if q.Has(key) {
		return q.With(key, "")
	}
	return q.With(key, "on")
}

// Has reports whether the query has a key.
func (q query) Has(key string) bool { return url.Values(q).Has(key) }
