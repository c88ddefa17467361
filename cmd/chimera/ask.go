package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"chimera/storage/kv"
)

const (
	maxComplaint = 400 // characters
	maxHeader    = 16 << 10
)

// ask has an operation carried out on the database in a file, by the process that holds it
// or, if none does, here, and calls each for what is said.
func ask[T any](ctx context.Context, data string, op operation[T], what string, each func(T) error) error {
	return reach(ctx, data,
		func(s socket) error { return hear(ctx, s, op.name, what, each) },
		func() error { return alone(ctx, data, op, what, each) })
}

// reach asks the process that holds the database in a file, or carries something out on the
// file itself if none does.
func reach(ctx context.Context, data string, asking func(socket) error, alone func() error) error {
	if clustered(data) {
		return alone()
	}
	switch file, err := os.Stat(data); {
	case err != nil:
		return fmt.Errorf("there is no database: %w", err)
	case file.Size() == 0 && file.Mode().IsRegular():
		return fmt.Errorf("there is no database: %s is empty", data)
	}
	s := socket{socketOf(data), patience}
	silence := s.answers(ctx)
	if silence == nil {
		return asking(s)
	}
	if _, strange := errors.AsType[stranger](silence); strange {
		return fmt.Errorf("%s: %w", s.path, silence)
	}
	err := alone()
	if !errors.Is(err, kv.ErrLocked) {
		return err
	}
	if silence := s.answers(ctx); silence != nil {
		return fmt.Errorf("%w by a process that cannot be asked: %w", err, silence)
	}
	return asking(s) // it has only just begun
}

// stranger is the account of a process that is not believed.
type stranger struct{ account uint32 }

func (s stranger) Error() string {
	return fmt.Sprintf("the process that listens beside the database belongs to another account (uid %d), so it can't be trusted", s.account)
}

// trusted reports whether a process of an account is believed: one's own, root's, or that
// of whoever owns the database.
func trusted(account uint32, others ...uint32) bool {
	const root = 0
	return account == root || slices.Contains(others, account)
}

// socket is where the process that holds a database can be asked.
type socket struct {
	path     string
	patience time.Duration // for the next part of an answer
}

// answers says why nobody answers; nil if somebody does.
func (s socket) answers(ctx context.Context) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// dial connects, unless somebody listens who may not hold the database.
func (s socket) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: s.patience}
	conn, err := dialer.DialContext(ctx, "unix", s.path)
	if err != nil {
		return nil, err
	}
	if err := believe(conn.(*net.UnixConn), strings.TrimSuffix(s.path, socketEnding)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return timed{conn, s.patience}, nil
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

// hear asks for an operation and calls each for the items of the answer.
func hear[T any](ctx context.Context, s socket, name, what string, each func(T) error) error {
	answer, err := s.post(ctx, name, what)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	for items := json.NewDecoder(answer.Body); ; {
		var item T
		err := items.Decode(&item)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.broken(err)
		}
		if err := each(item); err != nil {
			return err
		}
	}
	switch outcome := answer.Trailer.Get(outcomeTrailer); outcome {
	case allSaid:
		return nil
	case "":
		return s.broken(io.ErrUnexpectedEOF)
	default:
		return complaint(outcome)
	}
}

// copy asks for the file, as kv.DB copies it.
func (s socket) copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	answer, err := s.post(ctx, "backup", "")
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.ContentLength < 0 {
		return s.broken(errors.New("a file without a length"))
	}
	w, err := begin(answer.ContentLength)
	if err != nil {
		return err
	}
	_, err = io.CopyN(w, answer.Body, answer.ContentLength)
	if _, disk := errors.AsType[*fs.PathError](err); err == nil || disk {
		return err
	}
	return s.broken(err)
}

// post asks a question, and returns an answer of this program's.
func (s socket) post(ctx context.Context, name, what string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://chimera/"+name, strings.NewReader(what))
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		DialContext:            func(ctx context.Context, _, _ string) (net.Conn, error) { return s.dial(ctx) },
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	}
	answer, err := transport.RoundTrip(request)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			_ = answer.Body.Close()
		}
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, s.broken(err)
	case answer.StatusCode == http.StatusOK && answer.Header.Get(controlHeader) == controlVersion:
		return answer, nil
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.Header.Get(controlHeader) != controlVersion || answer.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: what listens there isn't this version of the program", s.path)
	}
	words, err := io.ReadAll(io.LimitReader(answer.Body, maxHeader))
	if err != nil {
		return nil, s.broken(err)
	}
	return nil, complaint(string(words))
}

// broken is about an answer that cannot be read to its end.
func (s socket) broken(err error) error {
	late, ok := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case ok && late.Timeout():
		return fmt.Errorf("%s: no answer for %v", s.path, s.patience)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%s: the answer broke off", s.path)
	}
	return fmt.Errorf("%s: what listens there gave no sensible answer: %s", s.path, legible(err.Error()))
}

// complaint is what the holder says itself.
func complaint(words string) error {
	return fmt.Errorf("the process that holds the database says: %s", legible(strings.TrimSpace(words)))
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
