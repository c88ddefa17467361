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
	"unicode"

	"github.com/alecthomas/kong"

	"chimera/bot"
	"chimera/bot/adapter"
	botwords "chimera/bot/words"
	"chimera/cmd/internal/progress"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/migrate"
)

// An operation is something an operator can ask of a database. The process that has the database open carries it out: a
// running bot, or else the operator's own.
type operation struct {
	does access
	run  func(h holder, ctx context.Context, arg string, say report) error
}

// inquiry is a command that runs the operation of the same name.
type inquiry struct {
	config.Config `embed:""`
}

// Run prints what the operation says.
func (a *inquiry) Run(ctx context.Context, std streams, line *kong.Context) error {
	return ask(ctx, std, a.Data, line.Selected().Name, "")
}

// access is what an operation does to a file that no process holds.
type access int

const (
	reads  access = iota
	checks        // reads, after looking for damage in the file
	changes
)

// operations are all operations, by name.
func operations() map[string]operation {
	return map[string]operation{
		"status":  {reads, holder.status},
		"outbox":  {reads, holder.outbox},
		"verify":  {checks, holder.verify},
		"ratings": {reads, holder.ratings},
		"repair":  {changes, holder.repair},
		"forget":  {changes, holder.forget},
		"annul":   {changes, holder.annul},
		"import":  {changes, holder.importGame},
	}
}

// holder carries out operations on an open store.
type holder struct {
	store *storage.Store
	data  string // the file
	now   func() time.Time
	chats []*supervisor // that the process is in
	site  *site         // the bot's pages; nil if it has none
	lent  uint64        // if not 0, no process holds the file, and this is the version of its records
}

func (h holder) service() bot.Services { return bot.NewServices(h.store, variants.All(), h.now, coin) }

// An answer is part of an operation's output: text to print, progress, or the outcome.
type answer struct {
	Text  string `json:",omitempty"`
	Done  int    `json:",omitempty"` // progress
	Of    int    `json:",omitempty"` // out of this
	Ended bool   `json:",omitempty"`
	Found bool   `json:",omitempty"` // it ended with errFound
	Fault string `json:",omitempty"` // it failed, and why
}

// report takes an operation's answers.
type report func(answer)

// line reports a line of text.
func (say report) line(format string, args ...any) {
	say(answer{Text: fmt.Sprintf(format, args...) + "\n"})
}

// often reports progress at every fiftieth thing.
func (say report) often(done, of int) {
	if done%50 == 0 || done == of {
		say(answer{Done: done, Of: of})
	}
}

// ask runs an operation on a database, in the process that holds it or, if none does, here, and prints its output.
func ask(ctx context.Context, std streams, data, name, arg string) error {
	say, end := printed(std)
	defer end()
	return cause(ctx, reach(ctx, data,
		func(s socket) error { return s.ask(ctx, name, arg, say) },
		func() error { return alone(ctx, data, name, arg, say) }))
}

// printed prints an operation's answers. Progress is shown on a terminal until end.
func printed(std streams) (say report, end func()) {
	var shown *progress.Bar
	return func(a answer) {
		if a.Of > 0 {
			if shown == nil {
				shown = progress.Count(std.err, "replaying", a.Of)
			}
			shown.Set(a.Done)
			return
		}
		shown.End() // for a line; the next progress shows it again
		_, _ = io.WriteString(std.out, a.Text)
	}, func() { shown.End() }
}

// reach calls asking with the socket of the process that holds a database file, or alone if none does.
func reach(ctx context.Context, data string, asking func(socket) error, alone func() error) error {
	if clustered(data) {
		return alone()
	}
	if why := missing(data); why != "" {
		return fmt.Errorf("there is no database at %s: %s", data, why)
	}
	s := socketOf(data)
	if s.answers(ctx) == nil {
		return asking(s)
	}
	err := alone()
	if !errors.Is(err, kv.ErrLocked) {
		return err
	}
	if silence := s.answers(ctx); silence != nil {
		return fmt.Errorf("%w, and that can't be asked: %w", err, silence)
	}
	return asking(s) // the process has only just started
}

// alone runs an operation on a file that no process holds. It opens the file read-only, unless the operation changes
// it.
func alone(ctx context.Context, data, name, arg string, say report) (err error) {
	op := operations()[name]
	run := func(store *storage.Store, schema uint64) error {
		return op.run(holder{store: store, data: data, now: time.Now, lent: schema}, ctx, arg, say)
	}
	if op.does == changes {
		store, err := open(ctx, data, nil)
		if err != nil {
			return err
		}
		return errors.Join(run(store, storage.Current), store.Close())
	}
	return openedAsIs(ctx, data, func(db kv.DB, schema uint64) error {
		if file, ok := db.(*bolt.DB); ok && op.does == checks {
			if err := file.Check(); err != nil {
				return fmt.Errorf("%s: %w", data, err)
			}
		}
		if err := migrate.Check(schema); err != nil {
			return fmt.Errorf("%s: %w", data, err)
		}
		if schema < storage.Current {
			return inFile(ctx, db, func(file kv.DB) error {
				store, err := upToDate(ctx, file, nil)
				if err != nil {
					return err
				}
				return run(store, schema)
			})
		}
		store, err := storage.Open(ctx, db)
		if err != nil {
			return err
		}
		return run(store, schema)
	})
}

// openedAsIs opens a database for reading, without upgrading records of an older version.
func openedAsIs(ctx context.Context, data string, run func(db kv.DB, schema uint64) error) (err error) {
	db, err := openEngine(ctx, data, bolt.OpenReadOnly)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	schema, err := storage.Schema(ctx, db)
	if err != nil {
		return fmt.Errorf("%s: %w", data, err)
	}
	return run(db, schema)
}

// legible turns a received text into a short line without control characters.
func legible(words string) string {
	const most = 400 // characters
	clean := strings.Map(func(c rune) rune { return botwords.Either(unicode.IsPrint(c), c, ' ') }, words)
	if long := []rune(clean); len(long) > most {
		return string(long[:most]) + "…"
	}
	return clean
}

// The process that holds a database file listens at a unix socket beside it, which only its owner can
// reach, and speaks HTTP there. The answer to /backup is the file; that to an operation is one
// JSON object a line, the last of which says how it has ended.
const (
	controlHeader  = "Chimera-Control" // of every answer, with the version of this protocol
	controlVersion = "3"

	patience    = time.Minute     // for a request to arrive, or an answer to begin
	lastAnswers = 5 * time.Second // for answers under way when the socket closes
)

// socket is the path at which the process that holds a database listens.
type socket string

// socketOf is the socket of a database file, whatever path the file is given by.
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

// ask requests an operation and passes its answers on.
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

// copy requests the file, and works like kv.Copier.
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

// post sends a request, and returns an answer from the same protocol version.
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

// broken is the error for an answer that breaks off.
func (s socket) broken(err error) error {
	cut := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
	return fmt.Errorf("%s: %w", s, botwords.Either(cut, errors.New("the answer broke off"), err))
}

// complaint is an error from the holder itself.
func complaint(words string) error {
	return fmt.Errorf("the process that holds the database says: %s", legible(strings.TrimSpace(words)))
}

// hearOperators listens at the socket of a database file, which this process must hold, until end is called. An old
// socket there belongs to a process that has died. A database in a cluster needs none.
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

// serveHTTP answers at a listener until end is called, which gives answers under way a few seconds. If it ends earlier,
// that is logged with the message lost.
func serveHTTP(ctx context.Context, listener net.Listener, server *http.Server, log *slog.Logger, lost string) (end func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	server.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) }
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

// bind makes a socket that only its owner can reach. Until its mode is set it is in a private folder, since the mode of
// a new socket depends on the umask and the system.
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
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // it is renamed below
	if err := errors.Join(os.Chmod(hidden, 0o600), os.Rename(hidden, path)); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// routes serves operations.
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

// route runs an operation; its argument is the request's body.
func route(h holder, op operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arg, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		flush := http.NewResponseController(w).Flush
		_ = flush() // the first output may take long
		say := func(a answer) {
			_ = json.NewEncoder(w).Encode(a) // if the client is gone, the context is done
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

// backup answers with the file; on an error, it breaks off.
func (h holder) backup(w http.ResponseWriter, r *http.Request) {
	begun := false
	err := h.store.Copy(r.Context(), func(size int64) (io.Writer, error) {
		begun = true
		w.Header().Set("Content-Length", fmt.Sprint(size))
		return w, nil
	})
	if err != nil && begun {
		panic(http.ErrAbortHandler)
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
