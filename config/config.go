// Package config has the settings of an operator, given by flags or environment.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Config is needed by every command that opens the database. The command line reads its tags.
type Config struct {
	Data string `env:"CHIMERA_DATA" default:"chimera.db" placeholder:"FILE" help:"Database file, or etcd://HOST:PORT,…/NAME for one in a cluster."`
}

// Validate says what is wrong with a Config, nil if nothing is.
func (c *Config) Validate() error {
	return first(fault{c.Data == "", "the name of the database file is empty: set --data or CHIMERA_DATA"})
}

// Secret is a text that prints as dots.
type Secret string

// String is dots, or nothing for the empty Secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "••••••"
}

// GoString is String, so that no way of printing shows more.
func (s Secret) GoString() string { return s.String() }

// MarshalText is String, so that no log shows more.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Chats are the settings for chats. Each secret may be in a file instead.
type Chats struct {
	DiscordToken            Secret `env:"CHIMERA_DISCORD_TOKEN" placeholder:"TOKEN" help:"Bot token of the Discord application."`
	DiscordTokenFile        string `env:"CHIMERA_DISCORD_TOKEN_FILE" placeholder:"FILE" help:"File that holds it."`
	DiscordClientSecret     Secret `env:"CHIMERA_DISCORD_CLIENT_SECRET" placeholder:"SECRET" help:"Client secret of the Discord application, with which boards are opened inside Discord; without it, Open board gives a link."`
	DiscordClientSecretFile string `env:"CHIMERA_DISCORD_CLIENT_SECRET_FILE" placeholder:"FILE" help:"File that holds it."`

	DiscordAPIURL string `name:"discord-api-url" env:"CHIMERA_DISCORD_API_URL" placeholder:"URL" help:"Another server that speaks Discord's API."`

	TelegramToken         Secret `env:"CHIMERA_TELEGRAM_TOKEN" placeholder:"TOKEN" help:"Bot token from BotFather."`
	TelegramTokenFile     string `env:"CHIMERA_TELEGRAM_TOKEN_FILE" placeholder:"FILE" help:"File that holds it."`
	TelegramAPIURL        string `name:"telegram-api-url" env:"CHIMERA_TELEGRAM_API_URL" placeholder:"URL" help:"Another server that speaks the Bot API."`
	TelegramWebhookURL    string `name:"telegram-webhook-url" env:"CHIMERA_TELEGRAM_WEBHOOK_URL" placeholder:"URL" help:"Public https address where Telegram reaches the bot; without it, the bot polls Telegram."`
	TelegramWebhookListen string `env:"CHIMERA_TELEGRAM_WEBHOOK_LISTEN" placeholder:"HOST:PORT" help:"Where to listen for webhook requests."`
	TelegramWebhookSecret Secret `env:"CHIMERA_TELEGRAM_WEBHOOK_SECRET" placeholder:"SECRET" help:"Secret that Telegram sends with each request."`
	TelegramSecretFile    string `name:"telegram-webhook-secret-file" env:"CHIMERA_TELEGRAM_WEBHOOK_SECRET_FILE" placeholder:"FILE" help:"File that holds it."`

	WebURL     string `name:"web-url" env:"CHIMERA_WEB_URL" placeholder:"URL" help:"Public https address at which people open their boards in a browser; without it, they play in chats alone."`
	WebListen  string `name:"web-listen" env:"CHIMERA_WEB_LISTEN" placeholder:"HOST:PORT" help:"Where to listen for their browsers, or for the proxy before them."`
	WebProxies string `name:"web-proxies" env:"CHIMERA_WEB_PROXIES" placeholder:"ADDRESS,…" help:"Addresses or networks of the proxies that say for whom they ask (X-Forwarded-For); without it, nobody is believed."`

	AllowPlainHTTP bool `name:"allow-plain-http" env:"CHIMERA_ALLOW_PLAIN_HTTP" help:"Allow plain http to APIs on other machines, and for boards in browsers."`
}

// Monitor are the settings with which operators watch the bot.
type Monitor struct {
	MetricsListen string `env:"CHIMERA_METRICS_LISTEN" placeholder:"HOST:PORT" help:"Where to answer /metrics, /healthz and /readyz; without it, nowhere."`
}

// Check says what is wrong with a Monitor.
func (m *Monitor) Check() error {
	_, port, err := net.SplitHostPort(m.MetricsListen)
	_, err2 := strconv.ParseUint(port, 10, 16)
	bad := m.MetricsListen != "" && cmp.Or(err, err2) != nil
	return first(fault{bad, "CHIMERA_METRICS_LISTEN is no host:port: set where to listen, such as 127.0.0.1:9090"})
}

// fault is a possible mistake in settings, and its message.
type fault struct {
	is   bool
	says string
}

// first is the first fault that applies, or nil.
func first(faults ...fault) error {
	for _, f := range faults {
		if f.is {
			return errors.New(f.says)
		}
	}
	return nil
}

// Load reads secrets from their files and says what is wrong with the settings.
func (c *Chats) Load() error {
	for _, s := range []struct {
		value *Secret
		file  string
		name  string
	}{
		{&c.DiscordToken, c.DiscordTokenFile, "CHIMERA_DISCORD_TOKEN"},
		{&c.DiscordClientSecret, c.DiscordClientSecretFile, "CHIMERA_DISCORD_CLIENT_SECRET"},
		{&c.TelegramToken, c.TelegramTokenFile, "CHIMERA_TELEGRAM_TOKEN"},
		{&c.TelegramWebhookSecret, c.TelegramSecretFile, "CHIMERA_TELEGRAM_WEBHOOK_SECRET"},
	} {
		if err := s.value.load(s.file, s.name); err != nil {
			return err
		}
	}
	none := fault{c.DiscordToken == "" && c.TelegramToken == "", "there is no token: set CHIMERA_DISCORD_TOKEN, CHIMERA_TELEGRAM_TOKEN or both"}
	return cmp.Or(
		c.checkURL("CHIMERA_DISCORD_API_URL", c.DiscordAPIURL), c.checkURL("CHIMERA_TELEGRAM_API_URL", c.TelegramAPIURL),
		first(none), c.checkWeb(), c.checkWebhook(),
	)
}

// checkWeb requires both settings of pages or neither.
func (c *Chats) checkWeb() error {
	if _, err := c.Proxies(); err != nil {
		return err
	}
	u, ok := origin(c.WebURL)
	set := c.WebURL != ""
	err := first(
		fault{!set && c.WebListen != "", "CHIMERA_WEB_LISTEN needs CHIMERA_WEB_URL: set it to the address that people open, such as https://chess.example.org"},
		fault{!set && c.DiscordClientSecret != "", "CHIMERA_DISCORD_CLIENT_SECRET needs CHIMERA_WEB_URL: boards that are opened inside Discord come from there"},
		fault{set && !ok, "CHIMERA_WEB_URL is no address of the form https://host:port, without a path"},
		fault{set && ok && c.exposed(u), "CHIMERA_WEB_URL is plain http to another machine, where anyone in between can play as the people who sign in: use https, or set CHIMERA_ALLOW_PLAIN_HTTP=true"},
		fault{set && c.WebListen == "", "CHIMERA_WEB_LISTEN is missing: set where to listen, such as 127.0.0.1:8080"},
		fault{set && !hostPort(c.WebListen), "CHIMERA_WEB_LISTEN is no host:port"},
	)
	if err == nil && set {
		c.WebURL = u.Scheme + "://" + u.Host
	}
	return err
}

func hostPort(address string) bool {
	_, _, err := net.SplitHostPort(address)
	return err == nil
}

// Proxies are the networks of trusted proxies.
func (c *Chats) Proxies() (all []netip.Prefix, err error) {
	for text := range strings.FieldsFuncSeq(c.WebProxies, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if at, alone := netip.ParseAddr(text); alone == nil {
			network, err = at.Prefix(at.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("CHIMERA_WEB_PROXIES has %q, which is no address: list addresses or networks, such as 127.0.0.1,10.0.0.0/8", text)
		}
		all = append(all, network)
	}
	return all, nil
}

func (s *Secret) load(file, name string) error {
	switch {
	case file == "":
	case *s != "":
		return fmt.Errorf("%s and %s_FILE are both set: set one", name, name)
	default:
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("%s_FILE: %w", name, err)
		}
		if *s = Secret(strings.TrimSpace(string(text))); *s == "" {
			return fmt.Errorf("%s_FILE: %s is empty", name, file)
		}
	}
	if strings.ContainsFunc(string(*s), func(c rune) bool { return c <= ' ' || c > '~' }) {
		return fmt.Errorf("%s contains spaces or other characters that don't belong in a token", name)
	}
	return nil
}

// checkURL requires scheme://host[:port], and https unless the host is this machine.
func (c *Chats) checkURL(name, address string) error {
	u, ok := origin(address)
	return first(
		fault{address != "" && !ok, name + " is no address of the form https://host:port, without a path"},
		fault{ok && c.exposed(u), name + " is plain http to another machine, where anyone in between can read the token: use https, or set CHIMERA_ALLOW_PLAIN_HTTP=true"},
	)
}

// exposed reports whether an address is plain http to another machine, and so not allowed.
func (c *Chats) exposed(u *url.URL) bool {
	return u.Scheme == "http" && !c.AllowPlainHTTP && !local(u.Hostname())
}

// origin reads an address of the form scheme://host[:port].
func origin(address string) (u *url.URL, ok bool) {
	u, err := url.Parse(address)
	return u, err == nil && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		strings.TrimSuffix(u.Path, "/") == "" && (u.Scheme == "http" || u.Scheme == "https")
}

// local reports whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// webhookSecret matches the secrets that Telegram allows.
var webhookSecret = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

func (c *Chats) checkWebhook() error {
	if c.TelegramWebhookURL == "" {
		return first(fault{
			c.TelegramWebhookListen != "" || c.TelegramWebhookSecret != "",
			"CHIMERA_TELEGRAM_WEBHOOK_LISTEN and _SECRET need CHIMERA_TELEGRAM_WEBHOOK_URL",
		})
	}
	u, err := url.Parse(c.TelegramWebhookURL)
	if err != nil {
		u = &url.URL{} // no address at all
	}
	ports := []string{"", "443", "80", "88", "8443"}
	return first(
		fault{u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())), "CHIMERA_TELEGRAM_WEBHOOK_URL is no https address"},
		fault{c.TelegramWebhookListen == "", "CHIMERA_TELEGRAM_WEBHOOK_LISTEN is missing: set where to listen, such as 127.0.0.1:8443"},
		fault{c.TelegramWebhookSecret == "", "CHIMERA_TELEGRAM_WEBHOOK_SECRET is missing: set it to the secret that Telegram sends with each request"},
		fault{!webhookSecret.MatchString(string(c.TelegramWebhookSecret)), "CHIMERA_TELEGRAM_WEBHOOK_SECRET is 1 to 256 letters, digits, _ and -"},
		fault{u.Scheme == "https" && c.TelegramAPIURL == "" && !slices.Contains(ports, u.Port()), "CHIMERA_TELEGRAM_WEBHOOK_URL has a port that Telegram doesn't use: choose 443, 80, 88 or 8443"},
		fault{!hostPort(c.TelegramWebhookListen), "CHIMERA_TELEGRAM_WEBHOOK_LISTEN is no host:port"},
	)
}
