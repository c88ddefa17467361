package metrics

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

// deploy has the files that operators begin with.
const deploy = "../../cmd/chimera/deploy/"

// names are those that queries can ask for, and of each whether it is a metric of ours.
func names(t *testing.T) map[string]bool {
	t.Helper()
	m := New("test")
	everything(t, m)
	families, err := m.registry.Gather()
	kvtest.Must(t, err)
	found := map[string]bool{}
	for _, f := range families {
		name := f.GetName()
		found[name] = strings.HasPrefix(name, "chimera_")
	}
	return found
}

var metricInQuery = regexp.MustCompile(`\b(?:chimera|go|process)_[a-z_]+`)

// asked takes the metrics that queries ask for from those that nobody asks for, and finds fault
// with others.
func asked(t *testing.T, queries []string, known, unasked map[string]bool) {
	t.Helper()
	for _, q := range queries {
		for _, name := range metricInQuery.FindAllString(q, -1) {
			whole := name
			for _, part := range []string{"_bucket", "_count", "_sum"} {
				name = strings.TrimSuffix(name, part)
			}
			if _, there := known[name]; !there {
				t.Errorf("there is no metric %s, which %s asks for", whole, q)
			}
			delete(unasked, name)
		}
	}
}

func TestTheDashboardShowsEveryMetricAndNoOther(t *testing.T) {
	text, err := os.ReadFile(deploy + "dashboard.json")
	kvtest.Must(t, err)
	type target struct{ Expr, RefID, LegendFormat string }
	var board struct {
		UID        string
		Templating struct{ List []struct{ Name string } }
		Panels     []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []target
		}
	}
	kvtest.Must(t, json.Unmarshal(text, &board))
	known := names(t)
	unasked := maps.Clone(known)
	maps.DeleteFunc(unasked, func(_ string, ours bool) bool { return !ours })
	variables := []string{"__rate_interval"}
	for _, v := range board.Templating.List {
		variables = append(variables, v.Name)
	}
	taken := map[[2]int]string{}
	for _, p := range board.Panels {
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other, ok := taken[at]; ok || at[0] >= 24 {
					t.Fatalf("%s lies over %s, or beyond the edge", p.Title, other)
				}
				taken[at] = p.Title
			}
		}
		var queries []string
		for _, q := range p.Targets {
			queries = append(queries, q.Expr)
			for _, v := range regexp.MustCompile(`\$\{?(\w+)`).FindAllStringSubmatch(q.Expr, -1) {
				if !slices.Contains(variables, v[1]) {
					t.Errorf("%s: there is no variable %s", p.Title, v[1])
				}
			}
		}
		if len(queries) == 0 || p.Title == "" {
			t.Errorf("panel %d %q shows nothing", p.ID, p.Title)
		}
		asked(t, queries, known, unasked)
	}
	for name := range unasked {
		t.Errorf("%s is on no panel", name)
	}
}

func TestAlertsAskForMetricsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(deploy + "alerts.yaml")
	kvtest.Must(t, err)
	queries := regexp.MustCompile(`(?m)^ +expr: (.*)$`).FindAllString(string(text), -1)
	if alerts := strings.Count(string(text), "- alert: "); len(queries) != alerts || alerts == 0 {
		t.Errorf("there are %d alerts and %d queries", alerts, len(queries))
	}
	asked(t, queries, names(t), map[string]bool{})
}

func TestTheReadmeExplainsEveryMetric(t *testing.T) {
	text, err := os.ReadFile("../../cmd/chimera/README.md")
	kvtest.Must(t, err)
	known := names(t)
	for name, ours := range known {
		if ours && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("the readme has nothing about %s", name)
		}
	}
	for _, name := range regexp.MustCompile("`(chimera_[a-z_]+)").FindAllStringSubmatch(string(text), -1) {
		if _, there := known[name[1]]; !there {
			t.Errorf("the readme has %s, which there is not", name[1])
		}
	}
}
