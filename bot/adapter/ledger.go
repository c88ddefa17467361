package adapter

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"chimera/bot/outbox"
	"chimera/storage"
)

// The ledger is the part of the State that tells which message shows which game, and whose buttons are
// still to be taken off. Its entries end as limit.Ends says of their kinds.
const (
	kindGame   = "message" // of a message: the game that it shows
	kindBoards = "board"   // of a game at a place: the last board, and messages that lead on from it
	kindOffers = "offers"  // of a game at a place: messages that ask to join it or to agree to something
)

// Ref is where a message is.
type Ref struct {
	Channel string // "" where the place tells
	ID      string
}

// Offer is a message whose buttons answer a challenge, a draw offer or a takeback request.
type Offer struct {
	Ref
	About string // what is asked; "" if an earlier version noted it
}

// spelled is a Ref as it is stored.
func (r Ref) spelled() string {
	if r.Channel == "" {
		return r.ID
	}
	return r.Channel + "/" + r.ID
}

func refOf(text string) Ref {
	if channel, id, ok := strings.Cut(text, "/"); ok {
		return Ref{channel, id}
	}
	return Ref{ID: text}
}

// gameKey names what is stored of a game at a place.
func gameKey(kind, place string, game storage.GameID) string {
	return fmt.Sprintf("%s/%s/%d", kind, place, game)
}

// Shows is the receipt of a message that shows a game.
func Shows(channel, message string, game storage.GameID) outbox.Receipt {
	return outbox.Receipt{kindGame + "/" + channel + "/" + message: fmt.Append(nil, uint64(game))}
}

// GameOf is the game that a message shows, 0 if none.
func (s *State) GameOf(ctx context.Context, channel, message string) storage.GameID {
	n, _ := strconv.ParseUint(s.Get(ctx, kindGame+"/"+channel+"/"+message), 10, 64)
	return storage.GameID(n)
}

// Boards are the messages at a place whose buttons lead to a move in a game, the last board first.
func (s *State) Boards(ctx context.Context, place string, game storage.GameID) []Ref {
	return refsOf(s.Get(ctx, gameKey(kindBoards, place, game)))
}

func refsOf(texts string) (all []Ref) {
	for text := range strings.FieldsSeq(texts) {
		all = append(all, refOf(text))
	}
	return all
}

// Offers are the messages at a place that still ask something about a game.
func (s *State) Offers(ctx context.Context, place string, game storage.GameID) []Offer {
	return offersOf(s.Get(ctx, gameKey(kindOffers, place, game)))
}

func offersOf(texts string) (all []Offer) {
	for text := range strings.FieldsSeq(texts) {
		ref, about, _ := strings.Cut(text, "=")
		about, _ = url.QueryUnescape(about) // what was asked is of two words
		all = append(all, Offer{refOf(ref), about})
	}
	return all
}

// Shown are the Boards and the Offers, in one read.
func (s *State) Shown(ctx context.Context, place string, game storage.GameID) ([]Ref, []Offer) {
	known := s.GetAll(ctx, gameKey(kindBoards, place, game), gameKey(kindOffers, place, game))
	return refsOf(known[0]), offersOf(known[1])
}

// Posted adds to a receipt that the buttons of a message lead to a move in a game, of which these were the
// Boards: those of its new board, or else some that lead on from the board. It returns the messages whose
// buttons are stale then.
func (s *State) Posted(receipt outbox.Receipt, place string, game storage.GameID, at Ref, board bool, before []Ref) (stale []Ref) {
	key := gameKey(kindBoards, place, game)
	if board {
		receipt[key] = []byte(at.spelled())
		return before
	}
	for _, r := range before {
		receipt[key] = append(receipt[key], r.spelled()+" "...)
	}
	receipt[key] = append(receipt[key], at.spelled()...)
	return nil
}

// SetOffers adds to a receipt which messages at a place still ask something about a game.
func (s *State) SetOffers(receipt outbox.Receipt, place string, game storage.GameID, open []Offer) {
	var text []byte
	for _, o := range open {
		text = fmt.Append(text, o.spelled(), "=", url.QueryEscape(o.About), " ")
	}
	receipt[gameKey(kindOffers, place, game)] = text
}
