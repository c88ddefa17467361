package etcd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/storage/kv/kvtest"
)

func TestAnAddressSaysWhereAndHow(t *testing.T) {
	password := filepath.Join(t.TempDir(), "password")
	kvtest.Must(t, os.WriteFile(password, []byte("secret\n"), 0o600))
	a, err := parse("etcd://h1:2379,h2,[::1]:7/chimera?lease=30s&tls=on&user=bot&password-file=" + password)
	kvtest.Must(t, err)
	if want := []string{"h1:2379", "h2:2379", "[::1]:7"}; !slices.Equal(a.client.Endpoints, want) {
		t.Errorf("members %q; want %q", a.client.Endpoints, want)
	}
	if a.layout != "chimera/" || a.lease != 30*time.Second || a.client.TLS == nil || a.client.Username != "bot" || a.client.Password != "secret" {
		t.Errorf("it is %+v", a)
	}
	if a, err := parse("etcd://h/p"); err != nil || a.lease != defaultLease || a.client.TLS != nil || a.client.Username != "" {
		t.Errorf("with nothing set it is %+v (%v)", a, err)
	}
}

// TestWhatIsWrongWithAnAddressIsSaidInOneSentence reads those of testdata/addresses.txt, each with words of the
// sentence after it. EMPTY is a file with nothing in it.
func TestWhatIsWrongWithAnAddressIsSaidInOneSentence(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	kvtest.Must(t, os.WriteFile(empty, nil, 0o600))
	addresses, err := os.ReadFile("testdata/addresses.txt")
	kvtest.Must(t, err)
	for line := range strings.Lines(strings.ReplaceAll(string(addresses), "EMPTY", empty)) {
		text, want, _ := strings.Cut(strings.TrimSpace(line), "|")
		text, want = strings.TrimSpace(text), strings.TrimSpace(want)
		_, err := parse(text)
		if _, err := Open(t.Context(), text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the password is told: %v", text, err)
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the password is told: %v", text, err)
		}
	}
}
