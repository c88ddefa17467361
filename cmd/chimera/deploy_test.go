package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// settings are the names of what can be set for serve.
func settings() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[serve]()) {
		if name := f.Tag.Get("env"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

var setting = regexp.MustCompile(`CHIMERA_[A-Z_]+`)

func TestDeployFilesSetWhatThereIsToSet(t *testing.T) {
	for name, least := range map[string]int{"Containerfile": 1, "chimera.service": 4, "compose.yaml": 3, "cluster.yaml": 1} {
		found := setting.FindAllString(string(contents(t, "deploy/"+name)), -1)
		if len(found) < least {
			t.Errorf("%s sets only %v", name, found)
		}
		for _, name := range found {
			if !slices.Contains(settings(), name) {
				t.Errorf("%s is set, which there is not", name)
			}
		}
	}
}

func TestDeployFilesBoundTheMemory(t *testing.T) {
	for name, want := range map[string][]string{
		"chimera.service": {"GOMEMLIMIT=384MiB", "MemoryMax=512M"}, "Containerfile": {"GOMEMLIMIT=384MiB", "--memory=512m"}, "compose.yaml": {"mem_limit: 512m"},
	} {
		for _, text := range want {
			if !strings.Contains(string(contents(t, "deploy/"+name)), text) {
				t.Errorf("%s has no %s", name, text)
			}
		}
	}
}

// TestSystemdFindsNothingWrongWithTheUnit lets systemd read the unit, with a program that is there
// in the place of the bot's, and judge what the unit may do: 0 is nothing, 10 everything.
func TestSystemdFindsNothingWrongWithTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze, so nobody reads the unit")
	}
	program, err := os.Executable()
	must(t, err)
	unit := filepath.Join(t.TempDir(), "chimera.service")
	write(t, unit, strings.Replace(string(contents(t, "deploy/chimera.service")), "/usr/local/bin/chimera", program, 1))
	for _, args := range [][]string{{"verify", unit}, {"security", "--offline=yes", "--threshold=20", unit}} {
		said, err := exec.CommandContext(t.Context(), analyze, args...).CombinedOutput()
		switch {
		case strings.Contains(string(said), "unrecognized option"):
			t.Logf("this systemd-analyze knows no %s: %s", args[1], said)
		case err != nil, args[0] == "verify" && len(said) > 0:
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, said)
		}
	}
}
