package fake

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// openAPI is Discord's description of its API, as far as requests go.
type openAPI struct {
	Paths map[string]map[string]json.RawMessage

	compiling sync.Mutex
	schemas   *jsonschema.Compiler
}

// specURL is the address by which schemas refer to the description.
const specURL = "discord:openapi"

// readSpec reads the description that CHIMERA_TEST_DISCORD_OPENAPI names, once for all tests.
//
//nolint:gochecknoglobals // never written
var readSpec = sync.OnceValues(func() (*openAPI, error) {
	text, err := os.ReadFile(os.Getenv("CHIMERA_TEST_DISCORD_OPENAPI"))
	if err != nil {
		return nil, err
	}
	var all any
	o := &openAPI{schemas: jsonschema.NewCompiler()}
	if err := errors.Join(json.Unmarshal(text, o), json.Unmarshal(text, &all)); err != nil {
		return nil, err
	}
	closeObjects(all)
	return o, o.schemas.AddResource(specURL, all)
})

// closeObjects forbids objects undescribed fields, and lets values match more than one
// of several descriptions.
func closeObjects(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			closeObjects(one)
		}
	case map[string]any:
		for _, one := range v {
			closeObjects(one)
		}
		if _, described := v["properties"].(map[string]any); described && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		if choices, ok := v["oneOf"].([]any); ok {
			delete(v, "oneOf")
			v["anyOf"] = choices
		}
	}
}

// check checks a request against the description.
func (o *openAPI) check(t testing.TB, c Request, r *http.Request) {
	if o == nil {
		return
	}
	template, method := o.find(c), strings.ToLower(c.Method)
	var operation struct {
		Parameters []struct{ Name, In string }
		Body       struct{ Content map[string]any } `json:"requestBody"`
	}
	if err := json.Unmarshal(o.Paths[template][method], &operation); err != nil {
		t.Errorf("%s %s is not described: %v", c.Method, c.Path, err)
		return
	}
	unknown := r.URL.Query()
	for _, p := range operation.Parameters {
		if p.In == "query" {
			unknown.Del(p.Name)
		}
	}
	if len(unknown) > 0 {
		t.Errorf("%s %s has no parameters %v", c.Method, template, unknown)
	}
	switch {
	case c.Body == nil:
		return
	case operation.Body.Content["application/json"] == nil:
		t.Errorf("%s %s takes no body", c.Method, template)
		return
	}
	at := strings.NewReplacer("~", "~0", "/", "~1").Replace(template)
	o.compiling.Lock()
	body, err := o.schemas.Compile(specURL + "#/paths/" + at + "/" + method + "/requestBody/content/application~1json/schema")
	o.compiling.Unlock()
	if err == nil {
		err = body.Validate(c.Body)
	}
	if err != nil {
		t.Errorf("%s %s: %v\n%s", c.Method, template, err, c.Text)
	}
}

var variable = regexp.MustCompile(`{[^}]*}`)

// find is the described path that a request matches with the fewest
// variables.
func (o *openAPI) find(c Request) (best string) {
	for template, methods := range o.Paths {
		fits, _ := path.Match(variable.ReplaceAllString(template, "*"), "/"+c.Path)
		if fits && methods[strings.ToLower(c.Method)] != nil && (best == "" || strings.Count(template, "{") < strings.Count(best, "{")) {
			best = template
		}
	}
	return best
}
