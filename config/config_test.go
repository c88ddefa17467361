package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecretsAreNeverPrinted(t *testing.T) {
	c := Chats{DiscordToken: "hunter2", TelegramToken: "hunter2", TelegramWebhookSecret: "hunter2"}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, printed := range []string{
		string(text), fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), fmt.Sprintf("%s %q", c.DiscordToken, c.DiscordToken),
	} {
		if strings.Contains(printed, "hunter2") {
			t.Errorf("printed as %s", printed)
		}
	}
}

func TestWhatIsWrongIsSaidInOneSentence(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Chats{
		"there is no token":             {},
		"both set":                      {DiscordToken: "a", DiscordTokenFile: empty},
		"is empty":                      {DiscordTokenFile: empty},
		"no such file":                  {TelegramTokenFile: empty + "x"},
		"contains spaces":               {TelegramToken: "a b"},
		"no address of the form":        {DiscordToken: "a", DiscordAPIURL: "example.org"},
		"without a path":                {DiscordToken: "a", DiscordAPIURL: "https://example.org/api"},
		"plain http":                    {DiscordToken: "a", DiscordAPIURL: "http://example.org"},
		"need CHIMERA_TELEGRAM":         {TelegramToken: "a", TelegramWebhookListen: ":80"},
		"is no https address":           {TelegramToken: "a", TelegramWebhookURL: "http://example.org"},
		"LISTEN is missing":             {TelegramToken: "a", TelegramWebhookURL: "https://example.org"},
		"SECRET is missing":             {TelegramToken: "a", TelegramWebhookURL: "https://example.org", TelegramWebhookListen: ":80"},
		"is no host:port":               {TelegramToken: "a", TelegramWebhookURL: "https://example.org", TelegramWebhookListen: "x", TelegramWebhookSecret: "s"},
		"letters, digits":               {TelegramToken: "a", TelegramWebhookURL: "https://example.org", TelegramWebhookListen: ":80", TelegramWebhookSecret: "a.b"},
		"SECRET needs CHIMERA_WEB_URL":  {DiscordToken: "a", DiscordClientSecret: "s"},
		"LISTEN needs CHIMERA_WEB_URL":  {TelegramToken: "a", WebListen: ":80"},
		"CHIMERA_WEB_URL is no address": {TelegramToken: "a", WebURL: "https://example.org/chess", WebListen: ":80"},
		"CHIMERA_WEB_URL is plain http": {TelegramToken: "a", WebURL: "http://example.org", WebListen: ":80"},
		"CHIMERA_WEB_LISTEN is missing": {TelegramToken: "a", WebURL: "https://example.org"},
		"CHIMERA_WEB_LISTEN is no":      {TelegramToken: "a", WebURL: "https://example.org", WebListen: "80"},
		"CHIMERA_WEB_PROXIES has \"x\"": {TelegramToken: "a", WebProxies: "127.0.0.1,x"},
		"10.0.0.0/8":                    {TelegramToken: "a", WebProxies: "10.0.0.0/33"},
		"443, 80, 88 or 8443":           {TelegramToken: "a", TelegramWebhookURL: "https://example.org:4430", TelegramWebhookListen: ":80", TelegramWebhookSecret: "s"},
	} {
		if err := c.Load(); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGoodSettingsAreTaken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Chats{
		{DiscordTokenFile: file},
		{DiscordToken: "abc", DiscordAPIURL: "http://127.0.0.1:80"},
		{DiscordToken: "abc", DiscordAPIURL: "http://[::1]:80/"},
		{DiscordToken: "abc", DiscordAPIURL: "http://proxy", AllowPlainHTTP: true},
		{DiscordToken: "abc", WebURL: "https://example.org/", WebListen: "127.0.0.1:8080"},
		{DiscordToken: "abc", WebURL: "http://localhost:8080", WebListen: ":8080"},
		{DiscordToken: "abc", WebURL: "http://box.lan", WebListen: ":80", AllowPlainHTTP: true},
		{DiscordToken: "abc", TelegramToken: "1:b", TelegramWebhookURL: "https://example.org/x", TelegramWebhookListen: ":8443", TelegramWebhookSecret: "s"},
	} {
		if err := c.Load(); err != nil || c.DiscordToken != "abc" {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestWhereToListenForOperatorsIsAHostAndAPort(t *testing.T) {
	for at, good := range map[string]bool{
		"": true, "127.0.0.1:9090": true, ":9090": true, "[::1]:0": true,
		"9090": false, "localhost": false, "127.0.0.1:": false, "127.0.0.1:http": false, "127.0.0.1:65536": false, "http://127.0.0.1:9090": false,
	} {
		if err := (&Monitor{at}).Check(); (err == nil) != good {
			t.Errorf("%q: %v", at, err)
		}
	}
}

func TestProxiesAreAddressesOrNetworks(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "127.0.0.1": "[127.0.0.1/32]", "::1, 10.0.0.0/8": "[::1/128 10.0.0.0/8]", "2001:db8::/32,": "[2001:db8::/32]",
	} {
		if got, err := (&Chats{WebProxies: text}).Proxies(); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
