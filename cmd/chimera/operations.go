package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"chimera/bot"
	"chimera/bot/archive"
	"chimera/bot/event"
	botwords "chimera/bot/words"
	"chimera/config"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
)

// table is rows of names and values, as text.
type table struct{ *tabwriter.Writer }

func (t table) row(name, format string, args ...any) {
	fmt.Fprintf(t, "%s:\t%s\n", name, fmt.Sprintf(format, args...))
}

func (h holder) status(ctx context.Context, _ string, say report) error {
	var text strings.Builder
	t := table{tabwriter.NewWriter(&text, 0, 0, 1, ' ', 0)}
	t.row("version", "%s", legible(about()))
	usage, err := h.store.Usage(ctx)
	if err == nil {
		err = cmp.Or(h.database(t, usage), h.records(ctx, t, usage), h.waiting(ctx, t), h.atCluster(ctx, t))
	}
	if err != nil {
		return err
	}
	for _, chat := range h.chats {
		t.row("on "+legible(chat.platform), "%s", legible(chat.String()))
	}
	if h.site != nil && h.site.Unnamed() != "" {
		t.row("on web", "%s", legible(h.site.Unnamed()))
	}
	for _, u := range usage {
		t.row("stored in "+legible(u.Kind), "%d, %d bytes, %d each", u.Count, u.Bytes, u.Bytes/int64(max(u.Count, 1)))
	}
	err = t.Flush()
	say(answer{Text: text.String()})
	return err
}

// database says who holds the database, and how large it is.
func (h holder) database(t table, usage []storage.Usage) error {
	process, schema := "none", h.lent
	if h.lent == 0 {
		process, schema = fmt.Sprint(os.Getpid()), storage.Current
	}
	t.row("process", "%s", process)
	t.row("schema", "%d", schema)
	in, size := "cluster", int64(0)
	for _, u := range usage {
		size += u.Bytes
	}
	if !clustered(h.data) {
		file, err := os.Stat(h.data)
		if err != nil {
			return err
		}
		in, size = "file", file.Size()
	}
	t.row(in, "%d bytes", size)
	t.row("bytes per game", "%s", perGame(size, usage))
	return nil
}

// perGame is the size of the database, with all that is stored, per game.
func perGame(size int64, usage []storage.Usage) string {
	if games := countOf(usage, "game/"); games > 0 {
		return fmt.Sprint(size / int64(games))
	}
	return "no games yet"
}

// countOf is how many records of a kind there are.
func countOf(usage []storage.Usage, kind string) int {
	i := slices.IndexFunc(usage, func(u storage.Usage) bool { return u.Kind == kind })
	if i < 0 {
		return 0
	}
	return usage[i].Count
}

// records counts what is stored.
func (h holder) records(ctx context.Context, t table, usage []storage.Usage) error {
	playing, err := h.store.Playing(ctx)
	if err != nil {
		return err
	}
	t.row("games in progress", "%d", playing)
	t.row("challenges open", "%d", countOf(usage, "challenge/"))
	t.row("people", "%d", countOf(usage, "person/"))
	lessons := map[string]int{}
	for _, v := range variants.All() {
		lessons[v.Key] = len(v.Course)
	}
	taught, err := h.store.Teaching(ctx, lessons)
	if err != nil {
		return err
	}
	t.row("practice games", "%d", taught.Practices)
	t.row("courses", "%d begun, %d finished", taught.Begun, taught.Finished)
	t.row("puzzles", "%d answered, %d at the first try", taught.Puzzles, taught.Solved)
	t.row("games reviewed", "%d", countOf(usage, "review/"))
	return nil
}

// waiting describes the outbox, and what is quarantined or damaged.
func (h holder) waiting(ctx context.Context, t table) error {
	entries, err := storage.Read(ctx, h.store, storage.Reader.Outbox)
	dead, err2 := storage.Read(ctx, h.store, storage.Reader.Undelivered)
	quarantined, err3 := storage.Read(ctx, h.store, storage.Reader.Quarantined)
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	waiting := fmt.Sprint(len(entries))
	if len(entries) > 0 {
		waiting += fmt.Sprintf(", the oldest for %v", h.age(entries[0]).Round(time.Second))
	}
	t.row("waiting in the outbox", "%s", waiting)
	t.row("undeliverable", "%d", len(dead))
	if len(quarantined) > 0 {
		refs := phrase.Each(quarantined, func(q storage.Quarantined) string { return fmt.Sprintf("%s %d", legible(q.Kind), q.ID) })
		t.row("set aside", "%s (see verify and repair)", strings.Join(refs, ", "))
	}
	return nil
}

// atCluster describes the other processes at a cluster.
func (h holder) atCluster(ctx context.Context, t table) error {
	if !clustered(h.data) {
		return nil
	}
	cluster, err := h.store.Cluster(ctx)
	if err != nil {
		return err
	}
	if h.lent == 0 {
		cluster.Own = "" // so that this process is listed too
	}
	t.cluster(cluster)
	return nil
}

func (t table) cluster(c kv.Cluster) {
	for _, handle := range c.Handles {
		if handle == c.Own {
			continue
		}
		t.row("at work "+legible(handle), "%s", legible(cmp.Or(strings.Join(c.Roles[handle], ", "), "no role")))
	}
	for _, m := range c.Members {
		leads := botwords.Either(m.Leads, "leads, ", "")
		state := fmt.Sprintf("%sversion %s, a file of %d bytes, %d changes behind", leads, m.Version, m.Size, m.Behind)
		if m.Version == "" {
			state = m.Fault
		} else if m.Fault != "" {
			state += ", " + m.Fault
		}
		t.row("etcd "+legible(m.Address), "%s", legible(state))
	}
}

type verify struct {
	config.Config `embed:""`
	Ratings       bool     `help:"Recalculate all ratings from the games instead."`
	Files         []string `arg:"" optional:"" name:"file" help:"Check these exported games instead of the database."`
}

// Run replays every stored game, or those in files, and reports those that are not valid.
func (v *verify) Run(ctx context.Context, std streams) error {
	if len(v.Files) > 0 {
		return v.files(std)
	}
	return ask(ctx, std, v.Data, botwords.Either(v.Ratings, "ratings", "verify"), "")
}

func (h holder) verify(ctx context.Context, _ string, say report) error {
	return verified(say, "game", func(report func(error)) (int, error) {
		return h.service().Maintenance.Verify(ctx, func(id storage.GameID, fault error) {
			if id != 0 {
				fault = fmt.Errorf("game %d: %w", id, fault)
			}
			report(fault)
		}, say.often)
	})
}

// ratings computes all ratings again.
func (h holder) ratings(ctx context.Context, _ string, say report) error {
	return verified(say, "rating", func(report func(error)) (int, error) {
		return h.service().Ratings.VerifyRatings(ctx, report, say.often)
	})
}

// verified prints each fault that look finds, and at the end how many things it checked.
func verified(say report, thing string, look func(report func(error)) (things int, err error)) error {
	faults := 0
	n, err := look(func(fault error) {
		faults++
		say.line("%s", legible(fault.Error()))
	})
	if err != nil {
		return err
	}
	say.line("%s, %s", howMany(n, thing), howMany(faults, "fault"))
	return botwords.Either(faults > 0, errFound, nil)
}

// reader are services without games, for reading exports.
func reader() bot.Services { return bot.NewServices(nil, variants.All(), time.Now, coin) }

func (v *verify) files(std streams) error {
	say, _ := printed(std)
	return verified(say, "game", func(report func(error)) (int, error) {
		service, read := reader(), map[string]*archive.Exported{}
		for _, name := range v.Files {
			text, err := os.ReadFile(name)
			if err != nil {
				return 0, err
			}
			game, err := service.Archive.ReadExport(string(text))
			for other, before := range read {
				if err == nil && game.Same(before) {
					err = fmt.Errorf("it is the same game as that in %s", other)
				}
			}
			if err != nil {
				report(fmt.Errorf("%s: %w", name, err))
				continue
			}
			read[name] = game
		}
		return len(v.Files), nil
	})
}

// howMany is how many things there are of a kind.
func howMany(n int, thing string) string {
	return fmt.Sprintf("%d %s%s", n, thing, botwords.Either(n == 1, "", "s"))
}

// repair quarantines for good what cannot be read or handled, one line for each record.
func (h holder) repair(ctx context.Context, _ string, say report) error {
	all, left := 0, 0
	err := h.service().Maintenance.Repair(ctx, func(ref storage.Ref, fault error) {
		all++
		outcome := "removed"
		switch {
		case fault != nil:
			left++
			outcome = legible(fault.Error())
		case ref.Kind == storage.OfGame:
			outcome = "aborted; its players will be told"
		case ref.Kind == storage.OfEntry:
			outcome = "won't be delivered"
		}
		say.line("%s %d: %s", legible(ref.Kind), ref.ID, outcome)
	})
	if err != nil {
		return err
	}
	say.line("%d given up for good, %d left", all-left, left)
	return botwords.Either(left > 0, errFound, nil)
}

// outbox lists the entries that wait or can never be delivered, one a line: number, age, place, game, kind, and why it
// could not be delivered.
func (h holder) outbox(ctx context.Context, _ string, say report) error {
	lines, err := storage.Read(ctx, h.store, func(r storage.Reader) (lines []string, err error) {
		waiting, err := r.Outbox()
		if err != nil {
			return nil, err
		}
		dead, err := r.Undelivered()
		for i, e := range append(waiting, dead...) {
			trouble := ""
			if i >= len(waiting) {
				trouble = "\tundeliverable: " + legible(e.Fault)
			} else if e.Tries > 0 {
				trouble = fmt.Sprintf("\ttried %d times: %s", e.Tries, legible(e.Fault))
			}
			lines = append(lines, fmt.Sprintf("%d\t%v\t%s\t#%d\t%s%s",
				e.ID, h.age(e).Round(time.Second), legible(placeName(r, e.Place)), e.Game, legible(e.Kind), trouble))
		}
		return lines, err
	})
	for _, line := range lines {
		say.line("%s", line)
	}
	return err
}

func (h holder) age(e storage.Entry) time.Duration { return max(0, h.now().Sub(e.At)) }

// placeName is a place's address, or its number if it has none.
func placeName(r storage.Reader, id storage.PlaceID) string {
	place, err := r.Places().Get(id)
	return botwords.Either(err != nil, fmt.Sprint(id), place.Address.Platform+":"+place.Address.ID)
}

type forget struct {
	config.Config `embed:""`
	Person        string `arg:"" help:"The person's number, or an account such as discord:123."`
}

// unwritten says where the data of a forgotten person may remain: it is no longer read, but not overwritten at once.
const unwritten = "their name may remain in free space in the file, and in backups made from it, until that is overwritten; older backups still have it"

// Run removes a person; their opponents keep the games.
func (f *forget) Run(ctx context.Context, std streams) error {
	if err := ask(ctx, std, f.Data, "forget", f.Person); err != nil {
		return err
	}
	_, err := fmt.Fprintln(std.err, unwritten)
	return err
}

func (h holder) forget(ctx context.Context, person string, say report) error {
	p, err := storage.Read(ctx, h.store, func(r storage.Reader) (storage.Person, error) { return findPerson(r, person) })
	if errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("there is no person %q: name a number, or an account as platform:id", person)
	}
	if err == nil {
		err = h.service().Users.ForgetPerson(ctx, p.ID)
	}
	if err != nil {
		return err
	}
	say.line("person %d is forgotten", p.ID)
	return nil
}

func findPerson(r storage.Reader, name string) (storage.Person, error) {
	if platform, id, ok := strings.Cut(name, ":"); ok {
		return r.PersonAt(storage.Address{Platform: platform, ID: id})
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return storage.Person{}, storage.ErrNotFound
	}
	return r.People().Get(storage.PersonID(n))
}

type annul struct {
	config.Config `embed:""`
	Game          string `arg:"" help:"The game's number."`
}

// Run removes a rated game from ratings. The bot may compute these later.
func (a *annul) Run(ctx context.Context, std streams) error {
	return ask(ctx, std, a.Data, "annul", a.Game)
}

func (h holder) annul(ctx context.Context, game string, say report) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(game, "#"), 10, 63)
	if err != nil {
		return fmt.Errorf("%q is no game: name its number, such as 12", game)
	}
	switch err := h.service().Ratings.Annul(ctx, storage.GameID(n)); {
	case event.IsRefused(err, event.NoSuchGame):
		return fmt.Errorf("there is no game %d", n)
	case event.IsRefused(err, event.NotRated):
		return fmt.Errorf("game %d counts for no ratings", n)
	case err != nil:
		return err
	}
	say.line("game %d counts no more", n)
	return nil
}

type imports struct {
	config.Config `embed:""`
	File          string `arg:"" help:"An exported game."`
}

// Run stores an exported game, as an ended one.
func (i *imports) Run(ctx context.Context, std streams) error {
	text, err := os.ReadFile(i.File)
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return errors.New(i.File + " is empty")
	}
	absent := missing(i.Data)
	if absent == "" {
		err = ask(ctx, std, i.Data, "import", string(text))
	} else if _, err = reader().Archive.ReadExport(string(text)); err == nil { // checked first, so that no database is made for it
		say, _ := printed(std)
		err = alone(ctx, i.Data, "import", string(text), say)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	if absent != "" {
		_, err = fmt.Fprintf(std.err, "%s is a new database: %s\n", i.Data, absent)
	}
	return err
}

func (h holder) importGame(ctx context.Context, text string, say report) error {
	id, err := h.service().Archive.Import(ctx, text)
	if err != nil {
		return err
	}
	say.line("game %d", id)
	return nil
}
