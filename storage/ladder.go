package storage

import (
	"slices"
	"time"

	"chimera/storage/kv"
)

// Ladder is on what people in a server climb by challenges in a kind of game. Its moments are on the
// wall clock.
type Ladder struct {
	Server   ServerID
	Variant  string
	Rungs    []Rung    `json:",omitempty"` // the top first
	Met      []Met     `json:",omitempty"` // who need not be challenged again for a while
	Since    time.Time // when whoever stands at the top has come there
	Defences int       `json:",omitempty"` // challenges that they have not lost since
}

// Rung is where somebody stands on a ladder.
type Rung struct {
	Person PersonID
	Joined time.Time
	Played time.Time // when their last game ended; Joined before the first
	Sunk   int       `json:",omitempty"` // how often they have gone down since
}

// Met are two between whom a challenge has been decided.
type Met struct {
	People [2]PersonID
	At     time.Time
}

// Rung is where somebody stands, from 0, the top; -1 if nowhere.
func (l *Ladder) Rung(p PersonID) int {
	return slices.IndexFunc(l.Rungs, func(r Rung) bool { return r.Person == p })
}

func (l *Ladder) id() ladderID { return ladderID{l.Server, l.Variant} }

type ladderID struct {
	Server  ServerID
	Variant string
}

func (l ladderID) parts() []any { return []any{l.Server, l.Variant} }

// LadderOf is a server's ladder in a kind of game; on one that nobody has joined yet is nobody.
func (r Reader) LadderOf(s ServerID, variant string) (Ladder, error) {
	l, err := r.Ladders().Find(ladderID{s, variant})
	l.Server, l.Variant = s, variant
	return l, err
}

// LaddersIn are those of a server, by kind of game.
func (r Reader) LaddersIn(s ServerID) ([]Ladder, error) {
	return collect(r.kv.Scan(kv.Prefix(Key(ladders.prefix, s))), 0, func(item kv.Item) (l Ladder, ok bool) {
		err := Decode(item.Value, &l)
		return l, err == nil
	})
}
