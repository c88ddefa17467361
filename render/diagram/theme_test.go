package diagram_test

import (
	"testing"

	"chimera/render/diagram"
)

func TestThemesHaveNames(t *testing.T) {
	for _, theme := range diagram.Themes() {
		if got, ok := diagram.ParseTheme(theme.String()); !ok || got != theme {
			t.Errorf("%v is read as %v, %v", theme, got, ok)
		}
	}
	if _, ok := diagram.ParseTheme("plaid"); ok {
		t.Error("there is a theme plaid")
	}
}
