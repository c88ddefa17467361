package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"chimera/storage"
)

// Bounds of what is taken from a socket.
const (
	maxAnswerHeader = 16 << 10
	maxAnswerLine   = 1 << 20
	maxComplaint    = 400 // characters
)

// answers says why nobody answers at a socket; nil if somebody does.
func answers(ctx context.Context, path string) error {
	conn, err := dial(ctx, path, patience)
	if err != nil {
		return err
	}
	return conn.Close()
}

// dial connects to a socket, unless somebody listens there who may not hold the database.
func dial(ctx context.Context, path string, patience time.Duration) (net.Conn, error) {
	dialer := net.Dialer{Timeout: patience}
	conn, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := believe(conn.(*net.UnixConn), strings.TrimSuffix(path, socketEnding)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// stranger is the account of a process that is not believed.
type stranger struct{ account uint32 }

func (s stranger) Error() string {
	return fmt.Sprintf("the process that listens beside the database belongs to another account (uid %d) and is not believed", s.account)
}

// trusted reports whether a process of an account is believed: one's own, root's, or that
// of whoever owns the database.
func trusted(account uint32, others ...uint32) bool {
	const root = 0
	return account == root || slices.Contains(others, account)
}

// remote asks the process that listens at a socket to carry operations out. Of what
// it hears it believes little.
type remote struct {
	path     string
	patience time.Duration // for the next part of an answer
}

var _ operations = remote{}

// Status implements operations.
func (r remote) Status(ctx context.Context) (situation, error) {
	return one[situation](ctx, r, question{path: "/status"})
}

// Forget implements operations.
func (r remote) Forget(ctx context.Context, person string) (storage.PersonID, error) {
	return one[storage.PersonID](ctx, r, question{"/forget", person})
}

// Import implements operations.
func (r remote) Import(ctx context.Context, text string) (storage.GameID, error) {
	return one[storage.GameID](ctx, r, question{"/import", text})
}

// one is the answer to a question that has one.
func one[T any](ctx context.Context, r remote, q question) (found T, err error) {
	heard := 0
	err = hear(ctx, r, q, func(item T) error {
		heard++
		found = item
		return nil
	})
	if err == nil && heard != 1 {
		err = r.nonsense(fmt.Errorf("%d answers to one question", heard))
	}
	return found, err
}

// question is what is asked for; with a text, it changes something.
type question struct{ path, text string }

// Outbox implements operations.
func (r remote) Outbox(ctx context.Context, each func(waiting) error) error {
	return hear(ctx, r, question{path: "/outbox"}, each)
}

// Verify implements operations.
func (r remote) Verify(ctx context.Context, each func(finding) error) error {
	return hear(ctx, r, question{path: "/verify"}, each)
}

// Ratings implements operations.
func (r remote) Ratings(ctx context.Context, each func(finding) error) error {
	return hear(ctx, r, question{path: "/ratings"}, each)
}

// Repair implements operations.
func (r remote) Repair(ctx context.Context, each func(mended) error) error {
	return hear(ctx, r, question{"/repair", "all"}, each)
}

// Copy implements operations.
func (r remote) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	answer, err := r.get(ctx, question{path: "/backup"})
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.ContentLength < 0 {
		return r.nonsense(errors.New("a file without a length"))
	}
	w, err := begin(answer.ContentLength)
	if err != nil {
		return err
	}
	heard := &source{Reader: answer.Body}
	_, err = io.CopyN(w, heard, answer.ContentLength)
	if err != nil && heard.err != nil {
		return r.broken(heard.err)
	}
	return err
}

// source is a reader that remembers why it failed, to tell that from a writer's
// failure.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(b []byte) (n int, err error) {
	n, err = s.Reader.Read(b)
	if !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// hear asks for something and calls each for the items of the answer.
func hear[T any](ctx context.Context, r remote, q question, each func(T) error) error {
	answer, err := r.get(ctx, q)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxAnswerLine)
	for lines.Scan() {
		var l line[T]
		err := json.Unmarshal(lines.Bytes(), &l)
		switch {
		case err != nil:
			return r.nonsense(err)
		case l.Error != "":
			return r.complaint(l.Error)
		case l.End:
			return nil
		case l.Item == nil:
			return r.nonsense(errors.New("a line about nothing"))
		}
		if err := each(*l.Item); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return r.broken(err)
	}
	return r.broken(io.ErrUnexpectedEOF)
}

// get asks a question and returns an answer that is what it seems.
func (r remote) get(ctx context.Context, q question) (*http.Response, error) {
	method := http.MethodGet
	if q.text != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://chimera"+q.path, strings.NewReader(q.text))
	if err != nil {
		return nil, err
	}
	client := http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				conn, err := dial(ctx, r.path, r.patience)
				return timed{conn, r.patience}, err
			},
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxAnswerHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(request)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	switch {
	case ctx.Err() != nil:
		if err == nil {
			_ = answer.Body.Close()
		}
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, r.broken(err)
	}
	if err := r.accept(answer); err != nil {
		_ = answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

func (r remote) accept(answer *http.Response) error {
	switch {
	case answer.Header.Get(controlHeader) == "":
		return r.nonsense(fmt.Errorf("no %s header", controlHeader))
	case answer.Header.Get(controlHeader) != controlVersion, answer.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s: the process that listens is of another version of this program", r.path)
	case answer.StatusCode != http.StatusOK:
		words, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerHeader))
		if err != nil {
			return r.broken(err)
		}
		return r.complaint(string(words))
	}
	return nil
}

// nonsense is about an answer that no holder of a database gives.
func (r remote) nonsense(err error) error {
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		return fmt.Errorf("%s: nothing was heard for %v", r.path, r.patience)
	}
	return fmt.Errorf("%s: what listens there does not answer sensibly: %s", r.path, legible(err.Error()))
}

// broken is about an answer that ends before its end.
func (r remote) broken(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%s: the answer was broken off", r.path)
	}
	return r.nonsense(err)
}

// complaint is what the holder says itself.
func (r remote) complaint(words string) error {
	return fmt.Errorf("the process that holds the database says: %s", legible(strings.TrimSpace(words)))
}

// timed is a connection on which a silence of some length is an error.
type timed struct {
	net.Conn
	patience time.Duration
}

func (t timed) Read(b []byte) (int, error) {
	if err := t.SetReadDeadline(time.Now().Add(t.patience)); err != nil {
		return 0, err
	}
	return t.Conn.Read(b)
}

// legible makes a short line without control characters of what somebody said.
func legible(words string) string {
	clean := strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, words)
	if long := []rune(clean); len(long) > maxComplaint {
		return string(long[:maxComplaint]) + "…"
	}
	return clean
}
