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
	"syscall"
	"time"
)

// The process that holds a database listens on a unix socket beside it, which only
// its owner can reach, and speaks HTTP there. The answer to /backup is the file; any other
// is a sequence of JSON values, and then, in a trailer, how it ended.
const (
	controlHeader  = "Chimera-Control" // in every answer, so that nothing else is taken for one
	controlVersion = "2"
	outcomeTrailer = "Chimera-Outcome"
	allSaid        = "ok" // or else why not all was said

	patience    = time.Minute     // for the other side to take or to give something
	lastAnswers = 5 * time.Second // for answers under way when the socket closes
	atOnce      = 4               // answers
	maxQuestion = 1 << 20         // bytes
)

// socketOf is where the holder of a database file listens, by whatever name the file
// is known.
func socketOf(data string) string {
	if real, err := filepath.EvalSymlinks(data); err == nil {
		data = real
	}
	return data + socketEnding
}

const socketEnding = ".sock"

// control is a socket at which operations can be asked for.
type control struct {
	path   string
	server *http.Server
	served chan struct{} // closed when no more is answered
}

// listen answers at the socket of a database file, which this process must hold:
// what it finds at that place is then the socket of a process that has died.
func listen(ctx context.Context, data string, routes http.Handler, log *slog.Logger) (*control, error) {
	path := socketOf(data)
	listener, err := bind(ctx, path)
	if err != nil {
		return nil, err
	}
	c := &control{path: path, served: make(chan struct{})}
	c.server = &http.Server{
		Handler:           logged(log, bounded(routes)),
		BaseContext:       func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ReadHeaderTimeout: patience,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	c.server.SetKeepAlivesEnabled(false)
	go func() {
		defer close(c.served)
		if err := c.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "operators' commands are heard no longer", "err", err)
		}
	}()
	return c, nil
}

// Close removes the socket. Answers under way get a few seconds.
func (c *control) Close() error {
	removed := os.Remove(c.path)
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil // somebody else has done so
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastAnswers)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		_ = c.server.Close() // their askers hear that something is missing
	}
	<-c.served
	return removed
}

// bind makes a socket and gives it its name when no one else can reach it any more:
// until then it is in a folder of its own, since the mode of a new socket is a matter
// of the umask, and of the system.
func bind(ctx context.Context, path string) (net.Listener, error) {
	switch old, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case old.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s is in the way and is no socket", path)
	}
	folder := path + "~"
	hidden := filepath.Join(folder, "s")
	if left, err := os.Lstat(folder); err == nil && left.IsDir() { // of a process that died here
		_, _ = os.Remove(hidden), os.Remove(folder)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	defer func() { _, _ = os.Remove(hidden), os.Remove(folder) }()
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

func routes(h holder) http.Handler {
	mux := http.NewServeMux()
	route(mux, h, statusing)
	route(mux, h, outboxing)
	route(mux, h, verifying)
	route(mux, h, rerating)
	route(mux, h, repairing)
	route(mux, h, forgetting)
	route(mux, h, annulling)
	route(mux, h, importing)
	mux.Handle("POST /backup", file(h.store.Copy))
	return mux
}

// route lets an operation be asked for, whose text is the body of the question.
func route[T any](mux *http.ServeMux, h holder, op operation[T]) {
	mux.HandleFunc("POST /"+op.name, func(w http.ResponseWriter, r *http.Request) {
		what, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxQuestion))
		if err != nil {
			http.Error(w, "that is too long", http.StatusRequestEntityTooLarge)
			return
		}
		out := taken{w, http.NewResponseController(w)}
		items := json.NewEncoder(out)
		err = op.run(h, r.Context(), string(what), func(item T) error {
			return errors.Join(items.Encode(item), out.control.Flush())
		})
		_ = out.control.Flush() // a trailer comes after what is sent in parts
		outcome := allSaid
		if err != nil {
			outcome = legible(strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		w.Header().Set(http.TrailerPrefix+outcomeTrailer, outcome)
	})
}

// file says what run writes, with its length first; what ends early is broken off.
func file(run func(ctx context.Context, begin func(size int64) (io.Writer, error)) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := false
		err := run(r.Context(), func(size int64) (io.Writer, error) {
			begun = true
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Length", fmt.Sprint(size))
			return taken{w, http.NewResponseController(w)}, nil
		})
		switch {
		case err != nil && begun:
			panic(http.ErrAbortHandler)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

// taken is an answer that is broken off if it is not taken in time.
type taken struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (t taken) Write(b []byte) (int, error) {
	if err := t.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(b)
}

// bounded gives few answers at once.
func bounded(next http.Handler) http.Handler {
	turns := make(chan struct{}, atOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(controlHeader, controlVersion)
		select {
		case turns <- struct{}{}:
			defer func() { <-turns }()
			next.ServeHTTP(w, r)
		default:
			http.Error(w, "too much is asked at once: try again", http.StatusServiceUnavailable)
		}
	})
}

// logged notes what was asked for.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.InfoContext(r.Context(), "operator's command", "method", r.Method, "path", r.URL.Path)
		next.ServeHTTP(w, r)
	})
}
