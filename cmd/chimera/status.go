package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
)

// table is rows of a name and a value each, as text.
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
		err = cmp.Or(h.database(ctx, t, usage), h.records(ctx, t, usage), h.waiting(ctx, t), h.atCluster(ctx, t))
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
func (h holder) database(ctx context.Context, t table, usage []storage.Usage) error {
	process, schema := "none", h.lent
	if h.lent == 0 {
		var err error
		if schema, err = h.store.Schema(ctx); err != nil {
			return err
		}
		process = fmt.Sprint(os.Getpid())
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

// perGame is how much of the database there is for each game in it, with all else that is stored.
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
	t.row("puzzles", "%d answered, %d at once", taught.Puzzles, taught.Solved)
	t.row("games reviewed", "%d", countOf(usage, "review/"))
	return nil
}

// waiting says what is in the outbox, what has been set aside, and what is damaged.
func (h holder) waiting(ctx context.Context, t table) error {
	var entries, dead []storage.Entry
	var quarantined []storage.Quarantined
	err := h.store.View(ctx, func(r storage.Reader) error {
		var err, err2, err3 error
		entries, err = r.Outbox()
		dead, err2 = r.Undelivered()
		quarantined, err3 = r.Quarantined()
		return cmp.Or(err, err2, err3)
	})
	if err != nil {
		return err
	}
	waiting := fmt.Sprint(len(entries))
	if len(entries) > 0 {
		waiting += fmt.Sprintf(", the oldest for %v", h.age(entries[0]).Round(time.Second))
	}
	t.row("waiting in the outbox", "%s", waiting)
	t.row("undeliverable", "%d", len(dead))
	if len(quarantined) > 0 {
		var refs []string
		for _, p := range quarantined {
			refs = append(refs, fmt.Sprintf("%s %d", legible(p.Kind), p.ID))
		}
		t.row("set aside", "%s (see verify and repair)", strings.Join(refs, ", "))
	}
	return nil
}

// atCluster says which other processes are at a cluster.
func (h holder) atCluster(ctx context.Context, t table) error {
	if !clustered(h.data) {
		return nil
	}
	cluster, err := h.store.Cluster(ctx)
	if err != nil {
		return err
	}
	if h.lent == 0 {
		cluster.Own = "" // this process is at work itself
	}
	t.cluster(cluster)
	return nil
}

func (t table) cluster(c kv.Cluster) {
	for _, handle := range c.Handles {
		if handle == c.Own {
			continue
		}
		roles := "no role"
		if held := c.Roles[handle]; len(held) > 0 {
			roles = strings.Join(held, ", ")
		}
		t.row("at work "+legible(handle), "%s", legible(roles))
	}
	for _, m := range c.Members {
		state := fmt.Sprintf("version %s, a file of %d bytes, %d changes behind", m.Version, m.Size, m.Behind)
		if m.Leads {
			state = "leads, " + state
		}
		switch {
		case m.Version == "":
			state = m.Fault
		case m.Fault != "":
			state += ", " + m.Fault
		}
		t.row("etcd "+legible(m.Address), "%s", legible(state))
	}
}
