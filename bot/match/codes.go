package match

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

// Bounds of links.
const (
	LinkFor    = 15 * time.Minute // a code is good for
	CodeLength = 12
)

// NewCode is a code that nobody guesses: 60 bits.
func NewCode() string { return rand.Text()[:CodeLength] }

// IsCode reports whether a text has the form of the codes that are given out.
func IsCode(text string) bool {
	text = Tidy(text)
	return len(text) == CodeLength && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Tidy is a code as it was given out, of how somebody has typed it.
func Tidy(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// CodeOf is what a code is for, unless the asker has guessed too often.
func (s *Service) CodeOf(r storage.Reader, by event.By, code string) (storage.Link, error) {
	me, err := r.People().Get(by.Person)
	link, err2 := r.Links().Get(code)
	switch {
	case err != nil:
		return storage.Link{}, err
	case me.Guesses >= limit.Guesses && s.now().Sub(me.Guessed) < limit.GuessTime:
		return storage.Link{}, event.Refuse(event.TooManyGuesses, 0)
	case errors.Is(err2, storage.ErrNotFound), err2 == nil && !link.Expires.IsZero() && s.now().After(link.Expires):
		return link, event.Refuse(event.BadCode, 0)
	}
	return link, err2
}

// CountGuess counts a code that was wrong, which is still the error.
func (s *Service) CountGuess(ctx context.Context, by event.By, err error) error {
	if !event.IsRefused(err, event.BadCode) {
		return err
	}
	return errors.Join(err, s.store.Update(ctx, func(w storage.Writer) error {
		return w.People().Change(by.Person, func(p *storage.Person) {
			if s.now().Sub(p.Guessed) >= limit.GuessTime {
				p.Guesses, p.Guessed = 0, s.now()
			}
			p.Guesses++
		})
	}))
}
