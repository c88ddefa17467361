package loopback

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// openAPI is Discord's description of its API, as far as requests go.
type openAPI struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Schemas map[string]*schema }
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Properties map[string]*schema
	Additional *json.RawMessage `json:"additionalProperties"`
	Required   []string
	Items      *schema
	OneOf      []*schema `json:"oneOf"`
	AnyOf      []*schema `json:"anyOf"`
	AllOf      []*schema `json:"allOf"`
	Enum       []any
	Const      any
	MaxLength  *int     `json:"maxLength"`
	MinLength  *int     `json:"minLength"`
	MaxItems   *int     `json:"maxItems"`
	Minimum    *float64 `json:"minimum"`
	Maximum    *float64 `json:"maximum"`
}

// readSpec reads the description that CHIMERA_TEST_DISCORD_OPENAPI names, nil if none.
func readSpec(t testing.TB) *openAPI {
	name := os.Getenv("CHIMERA_TEST_DISCORD_OPENAPI")
	if name == "" {
		t.Log("CHIMERA_TEST_DISCORD_OPENAPI names no description: requests are not compared with it")
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	o := new(openAPI)
	if err := json.Unmarshal(text, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// check compares a request with the description.
func (o *openAPI) check(t testing.TB, c Request, r *http.Request) {
	if o == nil {
		return
	}
	template, methods := o.find(c)
	if methods == nil {
		t.Errorf("%s %s is not described", c.Method, c.Path)
		return
	}
	var operation struct {
		Parameters []struct{ Name, In string }
		Body       struct {
			Content map[string]struct{ Schema *schema }
		} `json:"requestBody"`
	}
	if err := json.Unmarshal(methods[strings.ToLower(c.Method)], &operation); err != nil {
		t.Errorf("%s %s is not described: %v", c.Method, template, err)
		return
	}
	for name := range r.URL.Query() {
		known := false
		for _, p := range operation.Parameters {
			known = known || p.In == "query" && p.Name == name
		}
		if !known {
			t.Errorf("%s %s has no parameter %s", c.Method, template, name)
		}
	}
	content, ok := operation.Body.Content["application/json"]
	if c.Body == nil || !ok {
		if c.Body != nil {
			t.Errorf("%s %s takes no body", c.Method, template)
		}
		return
	}
	if fault := o.fault(content.Schema, c.Body, "body"); fault != "" {
		t.Errorf("%s %s: %s\n%s", c.Method, template, fault, c.Text)
	}
}

// find is the path of a request as the description writes it: the one with the fewest
// variables.
func (o *openAPI) find(c Request) (string, map[string]json.RawMessage) {
	words := strings.Split("/"+c.Path, "/")
	best, least := "", len(words)
	for template, methods := range o.Paths {
		parts := strings.Split(template, "/")
		if len(parts) != len(words) || methods[strings.ToLower(c.Method)] == nil {
			continue
		}
		variables, fits := 0, true
		for i, p := range parts {
			if strings.HasPrefix(p, "{") {
				variables++
			} else if p != words[i] {
				fits = false
			}
		}
		if fits && variables < least {
			best, least = template, variables
		}
	}
	return best, o.Paths[best]
}

// fault says what is wrong with a value, "" if nothing.
func (o *openAPI) fault(s *schema, v any, at string) string {
	if s == nil {
		return ""
	}
	if s.Ref != "" {
		return o.fault(o.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], v, at)
	}
	for _, part := range s.AllOf {
		if fault := o.fault(part, v, at); fault != "" {
			return fault
		}
	}
	if choices := append(slices.Clone(s.OneOf), s.AnyOf...); len(choices) > 0 {
		var faults []string
		for _, c := range choices {
			fault := o.fault(c, v, at)
			if fault == "" {
				return ""
			}
			faults = append(faults, fault)
		}
		slices.SortFunc(faults, func(a, b string) int { return strings.Count(b, ".") - strings.Count(a, ".") })
		return faults[0]
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) || s.Const != nil && s.Const != v {
		return fmt.Sprintf("%s is %v", at, v)
	}
	if fault := typeFault(s, v, at); fault != "" {
		return fault
	}
	return o.within(s, v, at)
}

func typeFault(s *schema, v any, at string) string {
	var types []string
	switch t := s.Type.(type) {
	case string:
		types = []string{t}
	case []any:
		for _, one := range t {
			types = append(types, fmt.Sprint(one))
		}
	}
	is := ""
	switch n := v.(type) {
	case nil:
		is = "null"
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case float64:
		if is = "number"; n == float64(int64(n)) {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	if len(types) > 0 && !slices.Contains(types, is) && (is != "integer" || !slices.Contains(types, "number")) {
		return fmt.Sprintf("%s is of type %s, not %v", at, is, types)
	}
	return ""
}

// within looks at bounds, and into what a value has.
func (o *openAPI) within(s *schema, v any, at string) string {
	switch v := v.(type) {
	case string:
		n := len(utf16.Encode([]rune(v)))
		if s.MaxLength != nil && n > *s.MaxLength || s.MinLength != nil && n < *s.MinLength {
			return fmt.Sprintf("%s is %d long", at, n)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Sprintf("%s is %v", at, v)
		}
	case []any:
		if s.MaxItems != nil && len(v) > *s.MaxItems {
			return fmt.Sprintf("%s has %d", at, len(v))
		}
		for i, one := range v {
			if fault := o.fault(s.Items, one, fmt.Sprintf("%s.%d", at, i)); fault != "" {
				return fault
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return fmt.Sprintf("%s has no %s", at, name)
			}
		}
		for name, one := range v {
			part, known := s.Properties[name]
			if !known && s.Properties != nil && s.Additional == nil {
				return fmt.Sprintf("%s.%s is not described", at, name)
			}
			if fault := o.fault(part, one, at+"."+name); fault != "" {
				return fault
			}
		}
	}
	return ""
}
