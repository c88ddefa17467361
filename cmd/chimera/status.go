package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"chimera/config"
)

type status struct {
	config.Config `embed:""`
}

// Run sums the database up.
func (s *status) Run(ctx context.Context, std streams) error {
	var found situation
	if err := ask(ctx, s.Data, statusing, "", func(now situation) error { found = now; return nil }); err != nil {
		return err
	}
	out := tabwriter.NewWriter(std.out, 0, 0, 1, ' ', 0)
	for _, row := range found.rows() {
		fmt.Fprintf(out, "%s:\t%s\n", row[0], row[1])
	}
	return out.Flush()
}

// rows are the names and values that people see.
func (s situation) rows() [][2]string {
	holder := "none"
	if s.Process != 0 {
		holder = fmt.Sprint(s.Process)
	}
	outbox := fmt.Sprint(s.Waiting)
	if s.Waiting > 0 {
		outbox += fmt.Sprintf(", the oldest for %v", s.Oldest.Round(time.Second))
	}
	rows := [][2]string{
		{"version", legible(s.Version)},
		{"process", holder},
		{"schema", fmt.Sprint(s.Schema)},
		{cmp.Or(s.In, inFiles), fmt.Sprintf("%d bytes", s.Size)},
		{"bytes per game", s.perGame()},
		{"games in progress", fmt.Sprint(s.Counts.Playing)},
		{"challenges open", fmt.Sprint(s.Counts.Challenges)},
		{"people", fmt.Sprint(s.Counts.People)},
		{"practice games", fmt.Sprint(s.Taught.Practices)},
		{"courses", fmt.Sprintf("%d begun, %d finished", s.Taught.Begun, s.Taught.Finished)},
		{"puzzles", fmt.Sprintf("%d answered, %d at once", s.Taught.Puzzles, s.Taught.Solved)},
		{"games reviewed", fmt.Sprint(s.Taught.Reviews)},
		{"waiting in the outbox", outbox},
		{"undeliverable", fmt.Sprint(s.Dead)},
	}
	if len(s.Parked) > 0 {
		var refs []string
		for _, ref := range s.Parked {
			refs = append(refs, fmt.Sprintf("%s %d", legible(ref.Kind), ref.ID))
		}
		rows = append(rows, [2]string{"set aside", strings.Join(refs, ", ") + " (see verify and repair)"})
	}
	if s.Doubt != "" {
		rows = append(rows, [2]string{"damage", legible(s.Doubt)})
	}
	rows = append(rows, s.atCluster()...)
	for _, c := range s.Chats {
		rows = append(rows, [2]string{"on " + legible(c.Platform), legible(c.State)})
	}
	if s.Web != "" {
		rows = append(rows, [2]string{"on web", legible(s.Web)})
	}
	for _, u := range s.Usage {
		rows = append(rows, [2]string{"stored in " + legible(u.Kind), fmt.Sprintf("%d, %d bytes, %d each", u.Count, u.Bytes, u.Bytes/int64(max(u.Count, 1)))})
	}
	return rows
}

// atCluster are the rows of who is at a cluster, but for whoever asks.
func (s situation) atCluster() (rows [][2]string) {
	for _, handle := range s.Cluster.Handles {
		if handle == s.Cluster.Own && s.Process == 0 {
			continue
		}
		roles := "no role"
		if held := s.Cluster.Roles[handle]; len(held) > 0 {
			roles = strings.Join(held, ", ")
		}
		rows = append(rows, [2]string{"at work " + legible(handle), legible(roles)})
	}
	for _, m := range s.Cluster.Members {
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
		rows = append(rows, [2]string{"etcd " + legible(m.Address), legible(state)})
	}
	return rows
}

// perGame is how much of the file there is for each game in it, with all else that is stored.
func (s situation) perGame() string {
	for _, u := range s.Usage {
		if u.Kind == "game/" && u.Count > 0 {
			return fmt.Sprint(s.Size / int64(u.Count))
		}
	}
	return "no games yet"
}
