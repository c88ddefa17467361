package main

import (
	"errors"
	"io"
	"os"
	"testing"
)

func TestSaveIsAllOrNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	bad := errors.New("bad")
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "words")
		return err
	}
	accept := func(string) error { return nil }
	comes := func(string) error { return os.WriteFile("a", []byte("other"), 0o600) }

	if err := save("a", func(w io.Writer) error { return errors.Join(write(w), bad) }, accept); !errors.Is(err, bad) {
		t.Errorf("a write that fails: %v", err)
	}
	if err := save("a", write, func(string) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("a file that is no good: %v", err)
	}
	onlyThere(t)
	if err := save("a", write, comes); err == nil {
		t.Error("a file that came meanwhile was replaced")
	}
	must(t, save("b", write, accept))
	onlyThere(t, "a", "b")
	for name, want := range map[string]string{"a": "other", "b": "words"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is %q (%v)", name, got, err)
		}
	}
}
