package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"chimera/bot/adapter"
)

// The process that holds a database file listens at a unix socket beside it, which only its owner can
// reach, and speaks HTTP there. The answer to /backup is the file; that to an operation is one
// JSON object a line, the last of which says how it has ended.
const (
	controlHeader  = "Chimera-Control" // of every answer, with the version of this form
	controlVersion = "3"

	patience    = time.Minute     // for a question to come, or for an answer to begin
	lastAnswers = 5 * time.Second // for answers under way when the socket closes
)

// socket is the path at which the process that holds a database can be asked.
type socket string

// socketOf is where the holder of a database file listens, by whatever name the file
// is known.
func socketOf(data string) socket {
	if real, err := filepath.EvalSymlinks(data); err == nil {
		data = real
	}
	return socket(data + ".sock")
}

func (s socket) dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", string(s))
}

// answers says why nobody answers; nil if somebody does.
func (s socket) answers(ctx context.Context) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// ask asks for an operation and hands on what it says.
func (s socket) ask(ctx context.Context, name, arg string, say report) error {
	said, err := s.post(ctx, name, arg)
	if err != nil {
		return err
	}
	defer func() { _ = said.Body.Close() }()
	for answers := json.NewDecoder(said.Body); ; {
		var a answer
		switch err := answers.Decode(&a); {
		case err != nil:
			return s.broken(err)
		case a.Fault != "":
			return complaint(a.Fault)
		case a.Found:
			return errFound
		case a.Ended:
			return nil
		}
		say(a)
	}
}

// copy asks for the file, as kv.Copier copies it.
func (s socket) copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	said, err := s.post(ctx, "backup", "")
	if err != nil {
		return err
	}
	defer func() { _ = said.Body.Close() }()
	w, err := begin(said.ContentLength)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, said.Body)
	if _, disk := errors.AsType[*fs.PathError](err); err == nil || disk {
		return err
	}
	return s.broken(err)
}

// post asks a question, and returns an answer of this version of the program.
func (s socket) post(ctx context.Context, name, arg string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://chimera/"+name, strings.NewReader(arg))
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		DialContext:           func(ctx context.Context, _, _ string) (net.Conn, error) { return s.dial(ctx) },
		ResponseHeaderTimeout: patience,
		DisableKeepAlives:     true,
		DisableCompression:    true,
	}
	said, err := transport.RoundTrip(request)
	if err != nil {
		return nil, s.broken(err)
	}
	if said.Header.Get(controlHeader) == controlVersion && said.StatusCode == http.StatusOK {
		return said, nil
	}
	defer func() { _ = said.Body.Close() }()
	if said.Header.Get(controlHeader) != controlVersion || said.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: what listens there isn't this version of the program", s)
	}
	fault, err := io.ReadAll(said.Body)
	if err != nil {
		return nil, s.broken(err)
	}
	return nil, complaint(string(fault))
}

// broken is about an answer that cannot be read to its end.
func (s socket) broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return fmt.Errorf("%s: the answer broke off", s)
	}
	return fmt.Errorf("%s: %w", s, err)
}

// complaint is what the holder says itself.
func complaint(words string) error {
	return fmt.Errorf("the process that holds the database says: %s", legible(strings.TrimSpace(words)))
}

// hearOperators lets operators ask at the socket of a database file, which this process must hold, until
// end is called. What is found at that place is the socket of a process that has died. A database in a
// cluster is open to them without one.
func hearOperators(ctx context.Context, h holder, log *slog.Logger) (end func() error) {
	if clustered(h.data) {
		return func() error { return nil }
	}
	path := string(socketOf(h.data))
	listener, err := bind(ctx, path)
	if err != nil {
		log.WarnContext(ctx, "operators' commands can't be heard", "err", err)
		return func() error { return nil }
	}
	log.InfoContext(ctx, "ready for operators' commands", "socket", path)
	stop := serveHTTP(ctx, listener, &http.Server{Handler: routes(h, log)}, log, "operators' commands are heard no longer")
	return func() error {
		removed := os.Remove(path)
		if errors.Is(removed, fs.ErrNotExist) {
			removed = nil // somebody else has done so
		}
		stop()
		return removed
	}
}

// serveHTTP answers at a listener until end is called, which gives answers under way a few seconds. If it
// ends before, that is logged in the words of lost.
func serveHTTP(ctx context.Context, listener net.Listener, server *http.Server, log *slog.Logger, lost string) (end func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	base := context.WithoutCancel(ctx)
	server.BaseContext = func(net.Listener) context.Context { return base }
	server.ReadHeaderTimeout = patience
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := adapter.Serve(ctx, server, listener, lastAnswers); err != nil {
			log.ErrorContext(ctx, lost, "err", err)
		}
	})
	return func() {
		stop()
		serving.Wait()
	}
}

// bind makes a socket that its owner alone can reach. Until its mode says so it is in a folder
// of its own, since the mode of a new socket is a matter of the umask, and of the system.
func bind(ctx context.Context, path string) (net.Listener, error) {
	switch old, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case old.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s is in the way and is no socket", path)
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+"~")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	hidden := filepath.Join(folder, "s")
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", hidden)
	if errors.Is(err, syscall.EINVAL) {
		return nil, fmt.Errorf("the path %s is too long for a unix socket", path)
	}
	if err != nil {
		return nil, err
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // it will have another name
	if err := errors.Join(os.Chmod(hidden, 0o600), os.Rename(hidden, path)); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// routes lets operations be asked for.
func routes(h holder, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	for name, op := range operations() {
		mux.Handle("POST /"+name, route(h, op))
	}
	mux.HandleFunc("POST /backup", h.backup)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.InfoContext(r.Context(), "operator's command", "method", r.Method, "path", r.URL.Path)
		w.Header().Set(controlHeader, controlVersion)
		mux.ServeHTTP(w, r)
	})
}

// route carries an operation out, whose argument is the body of the question.
func route(h holder, op operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arg, err := io.ReadAll(r.Body)
		if err != nil {
			return // nobody waits for an answer any more
		}
		flush := http.NewResponseController(w).Flush
		_ = flush() // it may be long until there is something to say
		say := func(a answer) {
			_ = json.NewEncoder(w).Encode(a) // when nobody listens any more, the context is done
			_ = flush()
		}
		switch err := op.run(h, r.Context(), string(arg), say); {
		case err == nil:
			say(answer{Ended: true})
		case errors.Is(err, errFound):
			say(answer{Found: true})
		default:
			say(answer{Fault: strings.ReplaceAll(err.Error(), "\n", "; ")})
		}
	})
}

// backup answers with the file; what ends early is broken off.
func (h holder) backup(w http.ResponseWriter, r *http.Request) {
	begun := false
	err := h.store.Copy(r.Context(), func(size int64) (io.Writer, error) {
		begun = true
		w.Header().Set("Content-Length", fmt.Sprint(size))
		return w, nil
	})
	switch {
	case err != nil && begun:
		panic(http.ErrAbortHandler)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
