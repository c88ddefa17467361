// Package user is who people are and where they are met: accounts and links, places and
// servers, settings, and forgetting.
package user

import (
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// People keeps people, and what they have chosen. It is safe for concurrent use.
type People struct {
	store  *storage.Store
	events *event.Log
	match  *match.Service
	links  *Links
	places *Places
	now    func() time.Time
}

// New makes a People over a store, with the parts that stand by themselves. now is the wall
// clock.
func New(store *storage.Store, in *event.Log, l *rating.Service, m *match.Service, now func() time.Time) (*People, *Places, *Links) {
	places := &Places{store: store, events: in, match: m, now: now}
	links := &Links{store: store, events: in, match: m, ratings: l, now: now}
	return &People{store, in, m, links, places, now}, places, links
}
