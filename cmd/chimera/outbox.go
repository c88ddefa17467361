package main

import (
	"context"
	"fmt"
	"time"

	"chimera/storage"
)

// outbox lists what waits to be delivered and what never can be, one entry a line: number, age, place, game,
// kind, and why it could not be delivered.
func (h holder) outbox(ctx context.Context, _ string, say report) error {
	lines, err := storage.Read(ctx, h.store, func(r storage.Reader) (lines []string, err error) {
		waiting, err := r.Outbox()
		if err != nil {
			return nil, err
		}
		dead, err := r.Undelivered()
		for i, e := range append(waiting, dead...) {
			trouble := ""
			switch {
			case i >= len(waiting):
				trouble = "\tundeliverable: " + legible(e.Fault)
			case e.Tries > 0:
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

// placeName is a place's address, or its number where it has none.
func placeName(r storage.Reader, id storage.PlaceID) string {
	place, err := r.Places().Get(id)
	if err != nil {
		return fmt.Sprint(id)
	}
	return place.Address.Platform + ":" + place.Address.ID
}
