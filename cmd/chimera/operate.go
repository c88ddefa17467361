package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"chimera/bot"
	"chimera/cmd/internal/progress"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/migrate"
)

// An operation is what an operator can ask of a database. It is carried out by the process that has
// the database open: a bot that runs, or else the operator's own.
type operation struct {
	does access
	run  func(h holder, ctx context.Context, arg string, say report) error
}

// inquiry is a command that has the operation of its name carried out.
type inquiry struct {
	config.Config `embed:""`
}

// Run prints what the operation says.
func (a *inquiry) Run(ctx context.Context, std streams, line *kong.Context) error {
	return ask(ctx, std, a.Data, line.Selected().Name, "")
}

// access is what an operation does with a file that no process holds.
type access int

const (
	reads  access = iota
	checks        // reads, and looks for damage in the file before
	changes
)

// operations are all there are, by name.
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

// holder carries operations out on a store that is open here.
type holder struct {
	store *storage.Store
	data  string // the file
	now   func() time.Time
	chats []*supervisor // that the process is in
	site  *site         // its pages; nil if it has none
	lent  uint64        // if not 0, nobody holds the file, and this is the version of its records
}

func (h holder) service() bot.Services { return bot.NewServices(h.store, variants.All(), h.now, coin) }

// An answer is part of what an operation says: text to be printed, or how far it has come, or how it
// has ended.
type answer struct {
	Text  string `json:",omitempty"`
	Done  int    `json:",omitempty"` // things
	Of    int    `json:",omitempty"` // all of them
	Ended bool   `json:",omitempty"`
	Found bool   `json:",omitempty"` // it ended with errFound
	Fault string `json:",omitempty"` // it failed, and why
}

// report takes what an operation says.
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

// ask has an operation carried out on a database, by the process that holds it or, if none does, here,
// and prints what it says.
func ask(ctx context.Context, std streams, data, name, arg string) error {
	say, end := printed(std)
	defer end()
	return cause(ctx, reach(ctx, data,
		func(s socket) error { return s.ask(ctx, name, arg, say) },
		func() error { return alone(ctx, data, name, arg, say) }))
}

// printed prints what an operation says. How far it has come is shown on a terminal until end.
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
		shown.End() // for a line; it comes again
		_, _ = io.WriteString(std.out, a.Text)
	}, func() { shown.End() }
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
	s := socketOf(data)
	if s.answers(ctx) == nil {
		return asking(s)
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

// alone carries an operation out on a file that no process holds. Unless the operation changes the
// file, it is opened to be read only.
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

// openedAsIs opens a database to be read and leaves its records as they are, which may be
// those of an older version.
func openedAsIs(ctx context.Context, data string, run func(db kv.DB, schema uint64) error) (err error) {
	db, err := openToRead(ctx, data)
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

// legible makes a short line without control characters of what somebody said.
func legible(words string) string {
	const most = 400 // characters
	clean := strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, words)
	if long := []rune(clean); len(long) > most {
		return string(long[:most]) + "…"
	}
	return clean
}
