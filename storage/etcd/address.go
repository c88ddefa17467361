package etcd

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

const (
	// Scheme begins the addresses of databases in etcd.
	Scheme = "etcd://"

	defaultPort  = "2379"
	defaultLease = 10 * time.Second
	minLease     = 2 * time.Second // a server with ordinary settings grants no less
	maxLease     = 5 * time.Minute
)

// prefixForm keeps prefixes short, since they begin every key.
var prefixForm = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,32}$`)

// An address is where a database is.
type address struct {
	layout layout
	lease  time.Duration
	client clientv3.Config
}

// parse reads etcd://host:port,host:port/prefix?setting=value&...
func parse(text string) (*address, error) {
	rest, ok := strings.CutPrefix(text, Scheme)
	if !ok {
		return nil, errors.New("it does not begin with " + Scheme)
	}
	place, query, _ := strings.Cut(rest, "?")
	hosts, prefix, _ := strings.Cut(place, "/")
	if strings.Contains(hosts, "@") {
		return nil, errors.New("it has an account before the hosts: name it with user= and its password with password-file=")
	}
	if !prefixForm.MatchString(prefix) {
		return nil, errors.New("after the hosts there must be / and a name for the database, of up to 32 letters, digits and . _ -, such as /chimera")
	}
	settings, err := url.ParseQuery(query)
	if err != nil {
		return nil, errors.New("what follows the ? is not of the form setting=value&setting=value")
	}
	a := &address{layout: layout(prefix + "/"), lease: defaultLease}
	if a.client.Endpoints, err = endpoints(hosts); err != nil {
		return nil, err
	}
	return a, a.set(settings)
}

// shown is an address without secrets, even if they are in the wrong place.
func shown(text string) string {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = Scheme + "…" + text[at:]
	}
	place, _, _ := strings.Cut(text, "?")
	return place
}

func endpoints(hosts string) (all []string, err error) {
	for host := range strings.SplitSeq(hosts, ",") {
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			name, port, err = net.SplitHostPort(net.JoinHostPort(strings.Trim(host, "[]"), defaultPort))
		}
		if n, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil || n == 0 || name == "" {
			return nil, fmt.Errorf("%q is no host or host:port: name the members of the cluster as host:port,host:port", host)
		}
		all = append(all, net.JoinHostPort(name, port))
	}
	return all, nil
}

// set takes the settings of the lease, the account and encryption.
func (a *address) set(settings url.Values) error {
	for name, values := range settings {
		switch {
		case !slices.Contains([]string{"lease", "tls", "ca", "cert", "key", "user", "password-file"}, name):
			return fmt.Errorf("%s= is no setting: there are lease, tls, ca, cert, key, user and password-file", name)
		case len(values) > 1:
			return fmt.Errorf("%s= is there twice: set it once", name)
		case values[0] == "":
			return fmt.Errorf("%s= is empty: set it, or leave it out", name)
		}
	}
	said := settings.Get
	for _, pair := range [][2]string{{"user", "password-file"}, {"cert", "key"}} {
		if (said(pair[0]) == "") != (said(pair[1]) == "") {
			return fmt.Errorf("%s= and %s= need each other: set both, or neither", pair[0], pair[1])
		}
	}
	if text := said("lease"); text != "" {
		lease, err := time.ParseDuration(text)
		if err != nil || lease < minLease || lease > maxLease || lease%time.Second != 0 {
			return fmt.Errorf("lease=%s is no whole number of seconds from %v to %v, such as 10s", text, minLease, maxLease)
		}
		a.lease = lease
	}
	if file := said("password-file"); file != "" {
		password, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("password-file: %w", err)
		}
		a.client.Username, a.client.Password = said("user"), strings.TrimSpace(string(password))
		if a.client.Password == "" {
			return fmt.Errorf("password-file: %s is empty", file)
		}
	}
	return a.encrypt(said("tls"), said("ca"), said("cert"), said("key"))
}

func (a *address) encrypt(on, ca, cert, key string) error {
	switch {
	case on != "" && on != "on":
		return fmt.Errorf("tls=%s means nothing: write tls=on, or leave it out", on)
	case on+ca+cert == "":
		return nil
	}
	a.client.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		text, err := os.ReadFile(ca)
		if err != nil {
			return fmt.Errorf("ca: %w", err)
		}
		a.client.TLS.RootCAs = x509.NewCertPool()
		if !a.client.TLS.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("ca: %s holds no certificate in PEM form", ca)
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return fmt.Errorf("cert and key: %w", err)
		}
		a.client.TLS.Certificates = []tls.Certificate{pair}
	}
	return nil
}

// A layout is the prefix of a database's keys, including the slash.
type layout string

func (l layout) data(key []byte) string { return string(l) + "d/" + string(key) }

// key reverses data.
func (l layout) key(data string) []byte { return []byte(data[len(l)+len("d/"):]) }

func (l layout) dataEnd() string           { return string(l) + "d0" } // 0 follows the slash
func (l layout) meta() (start, end string) { return string(l) + "m/", string(l) + "m0" }
func (l layout) format() string            { return string(l) + "m/format" }
func (l layout) commit() string            { return string(l) + "m/commit" }
func (l layout) lock() string              { return string(l) + "m/lock" }
func (l layout) handle(id string) string   { return string(l) + "m/handle/" + id }
func (l layout) role(name string) string   { return string(l) + "m/role/" + name }
