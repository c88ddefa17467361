package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAStrangersPageIsMadeOnceForEachRevision also requests the page as browsers do that have kept it.
func TestAStrangersPageIsMadeOnceForEachRevision(t *testing.T) {
	w := playing(t, "a group")
	asks := func(path, tag, language string) (status int, text, now string) {
		t.Helper()
		answer, text := w.browser().asks(w.url+path, nil, "If-None-Match", tag, "Accept-Language", language)
		if kept := answer.Header.Get("Cache-Control"); answer.StatusCode == http.StatusOK && kept != "private, no-cache" {
			t.Errorf("%s may be kept: %q", path, kept)
		}
		return answer.StatusCode, text, answer.Header.Get("ETag")
	}
	made := func(want int) {
		t.Helper()
		if got := w.site.strangers.pages.Len(); got != want {
			t.Errorf("%d pages are kept, want %d", got, want)
		}
	}
	status, first, tag := asks("/game/1", "", "en")
	if status != http.StatusOK || tag == "" || !strings.Contains(first, `data-last="0"`) {
		t.Fatalf("%d, %q: %s", status, tag, first)
	}
	for range 3 {
		if status, text, _ := asks("/game/1", "", "en"); status != http.StatusOK || text != first {
			t.Errorf("again: %d %s", status, text)
		}
		if status, text, _ := asks("/game/1?nonsense=1", tag, "en"); status != http.StatusNotModified || text != "" {
			t.Errorf("who has it gets %d and %d bytes", status, len(text))
		}
	}
	made(1)
	if status, text, _ := asks("/game/1", tag, "de"); status != http.StatusOK || text == first {
		t.Errorf("in German: %d", status)
	}
	if status, text, _ := asks("/game/1?flip=on", tag, "en"); status != http.StatusOK || text == first {
		t.Errorf("from the other side: %d", status)
	}
	made(3)
	w.hears("ann", "a group", "e4")
	if status, text, _ := asks("/game/1", tag, "en"); status != http.StatusOK || !strings.Contains(text, `data-last="1"`) {
		t.Errorf("after a move: %d %s", status, text)
	}
	b := w.ann()
	if answer, text := b.asks(w.url+"/game/1", nil); answer.Header.Get("ETag") != "" || answer.Header.Get("Cache-Control") != "no-store" || !strings.Contains(text, `name="press"`) {
		t.Errorf("ann sees what strangers see, or keeps what she sees: %v %s", answer.Header, text)
	}
	made(4)
}

func TestAStrangersKeptPageIsMadeAnewAfterAWhile(t *testing.T) {
	w := playing(t, "a group")
	visit(t, w.url+"/game/1", nil)
	w.hears("ann", "", "forgetme")
	w.hears("ann", "", "forgetme") // her name on the page is not part of the game
	pages := w.site.strangers.pages
	for _, key := range pages.Keys() {
		page, _ := pages.Peek(key)
		page.at = page.at.Add(-2 * keptFor)
		pages.Add(key, page)
	}
	finds(t, http.StatusOK, w.url+"/game/1", nil, "!ann")
}

func TestFewAnswersToStrangersAreMadeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStrangers()
		const asking = strangersAtOnce + strangersInLine + 10
		made, refused, most := 0, 0, 0
		now := make(chan int, 1)
		now <- 0
		end := make(chan struct{})
		count := func(by int) {
			n := <-now + by
			most = max(most, n)
			now <- n
		}
		for range asking {
			go func() {
				served := s.serve(t.Context(), func() { count(1); <-end; made++; count(-1) })
				if !served {
					refused++
				}
			}()
			synctest.Wait() // in order
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if s.serve(gone, func() {}) {
			t.Error("there is room in line")
		}
		for range strangersAtOnce + strangersInLine {
			end <- struct{}{}
			synctest.Wait()
		}
		if made != strangersAtOnce+strangersInLine || refused != 10 || most != strangersAtOnce {
			t.Errorf("%d are made, %d at once; %d are refused", made, most, refused)
		}
	})
}

// TestStrangersAreToldToComeAgain fills the line with others.
func TestStrangersAreToldToComeAgain(t *testing.T) {
	w := playing(t, "a group")
	ann := w.ann()
	s := w.site.strangers
	if !s.line.TryAcquire(strangersAtOnce + strangersInLine) {
		t.Fatal("some are in line already")
	}
	for _, path := range []string{"/game/1", "/game/1/board.svg", "/top", "/people/me", "/rules/chess", "/"} {
		answer, text := w.browser().asks(w.url+path, nil)
		if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || !strings.Contains(text, "Many are reading just now") {
			t.Errorf("%s: %d %v %s", path, answer.StatusCode, answer.Header, text)
		}
		if answer, _ := ann.asks(w.url+path, nil); answer.StatusCode == http.StatusServiceUnavailable {
			t.Errorf("%s: who is signed in waits too", path)
		}
	}
	if answer, _ := w.signsIn(w.browser(), w.link()); answer.StatusCode != http.StatusOK {
		t.Errorf("nobody can sign in: %d", answer.StatusCode)
	}
}

// slow is an answer that nobody reads, or a form that does not arrive, until the test lets it go on.
type slow struct {
	*httptest.ResponseRecorder
	begun, end chan struct{}
}

func (s slow) wait() {
	s.begun <- struct{}{}
	<-s.end
}

func (s slow) Write(b []byte) (int, error) {
	s.wait()
	return s.ResponseRecorder.Write(b)
}

func (s slow) Read([]byte) (int, error) {
	s.wait()
	return 0, fmt.Errorf("it never comes")
}

func (s slow) Close() error { return nil }

// TestWhoTakesOrSendsNothingKeepsNobodyWaiting has enough slow visitors to block everybody.
func TestWhoTakesOrSendsNothingKeepsNobodyWaiting(t *testing.T) {
	w := playing(t, "a group")
	pages := w.site.Handler(w.site.auth.host())
	stuck := slow{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	ended := make(chan struct{})
	begin := func(to http.ResponseWriter, r *http.Request) {
		go func() {
			pages.ServeHTTP(to, r)
			ended <- struct{}{}
		}()
		<-stuck.begun
	}
	const many = strangersAtOnce + strangersInLine
	for n := range many {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/game/1", nil)
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:80", n/20)
		begin(stuck, r)
		r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/game/1", stuck)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:81", n/20)
		begin(httptest.NewRecorder(), r)
	}
	finds(t, http.StatusOK, w.url+"/game/1", nil)
	for range 2 * many {
		go func() { stuck.end <- struct{}{} }()
		for waits := true; waits; {
			select {
			case <-ended:
				waits = false
			case <-stuck.begun:
				go func() { stuck.end <- struct{}{} }()
			}
		}
	}
}

// pipes is a listener for connections within this program.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestAnAnswerThatIsNotTakenIsBrokenOffButAStreamGoesOn requests both, and never reads the answer.
func TestAnAnswerThatIsNotTakenIsBrokenOffButAStreamGoesOn(t *testing.T) {
	w := playing(t, "a group")
	host := strings.TrimPrefix(w.url, "http://")
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		at, done := make(pipes), make(chan error)
		go func() { done <- w.site.Serve(ctx, at) }()
		call := func(path string) net.Conn {
			here, there := net.Pipe()
			at <- there
			_, err := fmt.Fprintf(here, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
			must(t, err)
			return here
		}
		page, stream := call("/rules/chess"), call(w.site.GamePath(1)+"/events")
		heard := make(chan int)
		go func() {
			n, buffer := 0, make([]byte, 4096)
			for {
				k, err := stream.Read(buffer)
				if n += strings.Count(string(buffer[:k]), "data: "); err != nil {
					heard <- n
					return
				}
			}
		}()
		time.Sleep(5 * time.Minute)
		if n, err := page.Read(make([]byte, 1)); err == nil {
			t.Errorf("after five minutes there is still an answer, of %d bytes or more", n)
		}
		end()
		time.Sleep(time.Minute)
		if n, want := <-heard, int(5*time.Minute/sign); n < want {
			t.Errorf("the stream says something %d times, want %d", n, want)
		}
		_ = stream.Close()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("it ends with %v", err)
		}
	})
}

// dialed is a connection from an address.
type dialed struct {
	net.Conn
	from   string
	closed *bool
}

func (d dialed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(d.from))
}

func (d dialed) Close() error {
	*d.closed = true
	return nil
}

func TestThereAreOnlySoManyConnectionsAndOnlySoManyFromOneAddress(t *testing.T) {
	w := build(t)
	d := w.site.auth
	d.proxies = append(d.proxies, netip.MustParsePrefix("198.51.100.1/32"))
	dial := func(from string) (c dialed, kept bool) {
		c = dialed{from: from, closed: new(bool)}
		d.connected(c, http.StateNew)
		d.connected(c, http.StateActive)
		if *c.closed {
			d.connected(c, http.StateClosed)
		}
		return c, !*c.closed
	}
	var one, other dialed
	for n := range maxFromOne + 5 {
		c, kept := dial("203.0.113.7:1")
		if kept != (n < maxFromOne) {
			t.Fatalf("connection %d from one address: kept %t", n+1, kept)
		}
		if kept {
			one, other = c, one
		}
	}
	for n := maxFromOne; n < maxCallers; n++ {
		from := []string{"198.51.100.1:1", "127.0.0.1:1", "10.0.0.1:1"}[n%3] // a configured proxy, and addresses that may be proxies
		if _, kept := dial(from); !kept {
			t.Fatalf("connection %d, from %s, is not kept", n+1, from)
		}
	}
	if _, kept := dial("203.0.113.8:1"); kept {
		t.Error("there is no end")
	}
	d.connected(one, http.StateIdle)
	if _, kept := dial("203.0.113.8:1"); !kept || !*one.closed {
		t.Error("one by which nothing is asked does not make room")
	}
	d.connected(one, http.StateClosed)
	if _, kept := dial("203.0.113.8:1"); kept {
		t.Error("there is no end when one has made room")
	}
	d.connected(other, http.StateClosed)
	if _, kept := dial("203.0.113.8:1"); !kept {
		t.Error("one that was closed still counts")
	}
}

func TestWhoLeavesBeforeTheirAnswerIsNoFault(t *testing.T) {
	w := playing(t, "a group")
	pages := w.site.Handler(w.site.auth.host())
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, path := range []string{"/game/1", "/top", "/people/me", "/game/1/board.svg"} {
		b := w.ann()
		at, _ := url.Parse(w.url)
		r := httptest.NewRequestWithContext(gone, http.MethodGet, w.url+path, nil)
		for _, c := range b.Jar.Cookies(at) {
			r.AddCookie(c)
		}
		pages.ServeHTTP(httptest.NewRecorder(), r)
	}
	if log := w.log.String(); strings.Contains(log, "page failed") {
		t.Error(log)
	}
}

func TestAnAddressWithANumberThatIsNoGamesIsMissing(t *testing.T) {
	w := playing(t, "a group")
	ann := w.ann()
	for _, id := range []string{"18446744073709551615", "9223372036854775808", "99999999999999999999999", "-1", "0", "one"} {
		for _, b := range []*jarred{w.browser(), ann} {
			b.finds(http.StatusNotFound, w.url+"/game/"+id, nil, "There is nothing here")
		}
	}
}

// TestNoAddressChangesWhatOtherStrangersSee sends requests whose pages might wrongly be kept for plainer addresses.
func TestNoAddressChangesWhatOtherStrangersSee(t *testing.T) {
	for path, odd := range map[string][]string{
		"/game/1":      {"GET /game/1?flip=yesyesyes", "GET /game/1?zones=yesyesyes", "GET /game/1?threats=yesyesyes", "GET /game/1?ply=000000000"},
		"/game/1?how=": {"HEAD /game/1?how="},
	} {
		w := playing(t, "a group")
		w.hears("ann", "a group", "e4")
		_, want := visit(t, w.url+path, nil)
		for _, request := range odd {
			w.site.strangers.pages.Purge()
			method, address, _ := strings.Cut(request, " ")
			r, err := http.NewRequestWithContext(t.Context(), method, w.url+address, nil)
			must(t, err)
			answer, err := http.DefaultClient.Do(r)
			must(t, err)
			_ = answer.Body.Close()
			if _, text := visit(t, w.url+path, nil); text != want {
				t.Errorf("after %s, others see another page", request)
			}
		}
	}
}

func TestAPageRepeatsNothingLongOfItsAddress(t *testing.T) {
	w := playing(t, "a group")
	long := strings.Repeat("x", 5000)
	finds(t, http.StatusOK, w.url+"/game/1?flip="+long+"&zones="+long+"&ply="+long, nil, "!"+long)
}

func TestAFormOfTheSameHostByAnotherSchemeDoesNothing(t *testing.T) {
	w := build(t)
	_, host, _ := strings.Cut(w.url, "://")
	for origin, want := range map[string]int{w.url: http.StatusSeeOther, "https://" + host: http.StatusForbidden, "null": http.StatusForbidden} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/out", nil)
		r.Header.Set("Origin", origin)
		out := httptest.NewRecorder()
		if w.site.Handler(w.site.auth.host()).ServeHTTP(out, r); out.Code != want {
			t.Errorf("%s: %d", origin, out.Code)
		}
	}
}
