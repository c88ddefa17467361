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

func TestWhatIsWrongWithAnAddressIsSaidInOneSentence(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	kvtest.Must(t, os.WriteFile(empty, nil, 0o600))
	for text, want := range map[string]string{
		"http://h/p":                                 "does not begin with etcd://",
		"etcd://h":                                   "a name for the database",
		"etcd://h/":                                  "a name for the database",
		"etcd://h/a/b":                               "a name for the database",
		"etcd://h/" + strings.Repeat("a", 33):        "a name for the database",
		"etcd:///p":                                  "no host or host:port",
		"etcd://h:x/p":                               "no host or host:port",
		"etcd://h:0/p":                               "no host or host:port",
		"etcd://h,/p":                                "no host or host:port",
		"etcd://bot:secret@h/p":                      "password-file=",
		"etcd://bot:se?secret@h/p":                   "a name for the database",
		"etcd://h/p?password=secret":                 "password= is no setting",
		"etcd://h/p?lease=1s":                        "whole number of seconds",
		"etcd://h/p?lease=6m":                        "whole number of seconds",
		"etcd://h/p?lease=soon":                      "whole number of seconds",
		"etcd://h/p?lease=2500ms":                    "whole number of seconds",
		"etcd://h/p?lease=2s&lease=3s":               "twice",
		"etcd://h/p?lease=":                          "is empty",
		"etcd://h/p?leese=2s":                        "leese= is no setting",
		"etcd://h/p?%zz":                             "not of the form",
		"etcd://h/p?user=bot":                        "need each other",
		"etcd://h/p?password-file=x":                 "need each other",
		"etcd://h/p?user=bot&password-file=" + empty: "is empty",
		"etcd://h/p?user=bot&password-file=/none":    "no such file",
		"etcd://h/p?tls=yes":                         "tls=yes means nothing",
		"etcd://h/p?ca=/none":                        "no such file",
		"etcd://h/p?ca=" + empty:                     "no certificate",
		"etcd://h/p?cert=/none":                      "need each other",
		"etcd://h/p?cert=/none&key=/none":            "no such file",
	} {
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
