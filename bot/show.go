package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
	"chimera/storage"
)

// ended is the game meant by a request about one that has ended.
func (b *Bot) ended(ctx context.Context, r request) (storage.GameID, error) {
	switch {
	case r.game != 0:
		return r.game, nil
	case r.msg.ReplyTo != 0:
		return r.msg.ReplyTo, nil
	}
	id, err := b.lastPlayed(ctx, r)
	if errors.Is(err, errNoGame) {
		err = errNoneEnded
	}
	return id, err
}

// look is the game meant by a request to see something: also the last one that
// ended, where none goes on.
func (b *Bot) look(ctx context.Context, r request, ply int) (*match.Sight, error) {
	id, err := b.meant(ctx, r, anyGame)
	if errors.Is(err, errNoGame) {
		id, err = b.lastPlayed(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	if r.sight != nil && ply == match.Latest {
		return r.sight, nil
	}
	return b.games.See(ctx, r.by(), id, ply)
}

// lastPlayed is the person's last game that ended here.
func (b *Bot) lastPlayed(ctx context.Context, r request) (storage.GameID, error) {
	var last storage.GameID
	err := b.store.View(ctx, func(s storage.Reader) error {
		ids, err := s.Played(r.me.ID)
		if err != nil {
			return err
		}
		newest := slices.Clone(ids)
		slices.Reverse(newest)
		for g, err := range s.Read(newest) {
			if err != nil {
				return err
			}
			if g.Aside == "" && slices.Contains(g.Places(), r.here.ID) {
				last = g.ID
				return nil
			}
		}
		if r.msg.Private && len(ids) > 0 {
			last = ids[len(ids)-1]
			return nil
		}
		return errNoGame
	})
	return last, err
}

func (b *Bot) board(ctx context.Context, r request) ([]Note, error) {
	ply, flip, zones := match.Latest, false, false
	for _, arg := range r.args {
		n, err := strconv.Atoi(arg)
		switch {
		case strings.EqualFold(arg, "flip"):
			flip = true
		case strings.EqualFold(arg, "zones"):
			zones = true
		case err == nil && n >= 0:
			ply = n
		default:
			return r.answer(words.OddBoard(arg)), nil
		}
	}
	sight, err := b.look(ctx, r, ply)
	switch {
	case errors.Is(err, match.ErrNoPly):
		return r.answer(words.NoSuchPly(ply)), nil
	case err != nil:
		return nil, err
	}
	note := boardNote(sight)
	if flip {
		note.Board.Bottom = note.Board.Bottom.Other()
	}
	if zones && !showZones(&note, sight) {
		return r.answer(words.NoZones(sight)), nil
	}
	return []Note{note}, nil
}

// boardNote is what everyone sees of a game at a ply.
func boardNote(s *match.Sight) Note {
	d := render.Of(s.Now.Position, s.Effects, s.Now.Position.Turn())
	if start, err := s.Variant.Position(s.Game.Start); err == nil {
		if shown := d.ShowTaken(start.Board()); len(shown.Taken) > 0 {
			d = shown
		}
	}
	note := Note{Text: words.Board(s), Board: &d}
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		note.Buttons = []Button{
			button(labelRematch, "rematch", s.Game.ID, none), button(labelBoard, "board", s.Game.ID, none), button(labelReplay, "replay", s.Game.ID, none),
		}
	default:
		note.Buttons = boardButtons(s.Game.ID, s.Ply)
	}
	return note
}

func (b *Bot) moves(ctx context.Context, r request) ([]Note, error) {
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	if sight.Game.Over() {
		return nil, &inbox.Refusal{Why: inbox.Over, Game: sight.Game.ID}
	}
	pos := sight.Now.Position
	from := rules.NoSquare
	if len(r.args) == 1 {
		if from = sight.Variant.Shape.Parse(strings.ToLower(r.args[0])); from == rules.NoSquare {
			return r.answer(words.NoSquare(r.args[0])), nil
		}
	}
	return r.answer(words.Moves(sight, from, legal(pos, from))), nil
}

// legal are the chat texts of the legal moves of the man on a square, or of all
// for rules.NoSquare.
func legal(pos *rules.Position, from rules.Square) []string {
	var texts []string
	moves := pos.Moves()
	for i, text := range pos.ChatTexts() {
		m := moves[i]
		if from == rules.NoSquare || m.From == from || m.Act == rules.Rally && m.With == from {
			texts = append(texts, text)
		}
	}
	return texts
}

func (b *Bot) fen(ctx context.Context, r request) ([]Note, error) {
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Fen(sight.Now.Position)), nil
}

func (b *Bot) score(ctx context.Context, r request) ([]Note, error) {
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	score, err := b.games.Score(&sight.Game)
	if err != nil {
		return nil, err
	}
	first, err := b.games.Look(ctx, sight.Game.ID, 0)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Score(sight, first.Now.Position, score)), nil
}

func (b *Bot) listGames(ctx context.Context, r request) ([]Note, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	list, err := b.list(ctx, r, whose)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Games(list, r.me.ID, b.games.Variant)), nil
}

func (b *Bot) list(ctx context.Context, r request, p storage.Person) (*words.GameList, error) {
	list := &words.GameList{Whose: p, Names: map[storage.PersonID]string{}}
	var err error
	if list.Playing, list.All, err = b.games.AgendaFor(ctx, r.by(), p.ID, limit.Listed); err != nil {
		return nil, err
	}
	if list.Made, list.Pending, err = b.challenges.Challenges(ctx, p.ID); err != nil {
		return nil, err
	}
	for _, challenges := range []*[]storage.Challenge{&list.Made, &list.Pending} {
		if _, *challenges, err = b.games.Seen(ctx, r.by(), nil, *challenges); err != nil {
			return nil, err
		}
	}
	for _, c := range slices.Concat(list.Made, list.Pending) {
		for _, who := range []storage.PersonID{c.From, c.To} {
			if who != 0 {
				if list.Names[who], err = b.people.Name(ctx, who); err != nil {
					return nil, err
				}
			}
		}
	}
	var played []storage.GameID
	err = b.store.View(ctx, func(s storage.Reader) (err error) {
		played, err = s.Played(p.ID)
		return err
	})
	for _, id := range slices.Backward(played[max(0, len(played)-limit.Searched):]) {
		if err != nil || len(list.Ended) == limit.ListedEnded {
			break
		}
		var sight *match.Sight
		sight, err = b.games.See(ctx, r.by(), id, match.Latest)
		if no := (*inbox.Refusal)(nil); errors.As(err, &no) {
			err = nil // of a kind of game that is not played any more
			continue
		}
		list.Ended = append(list.Ended, sight)
	}
	return list, err
}

// next shows the board of a person's most urgent game.
func (b *Bot) next(ctx context.Context, r request) ([]Note, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	agenda, all, err := b.games.AgendaFor(ctx, r.by(), whose.ID, 1)
	switch {
	case err != nil:
		return nil, err
	case whose.ID != r.me.ID && (all == 0 || !agenda[0].Mine):
		return r.answer(words.NothingWaitsFor(whose.Name)), nil
	case all == 0:
		return nil, errNoGame
	case !agenda[0].Mine:
		return r.answer(words.NothingWaits(all)), nil
	}
	sight, err := b.games.Look(ctx, agenda[0].Game.ID, match.Latest)
	if err != nil {
		return nil, err
	}
	return []Note{boardNote(sight)}, nil
}

func (b *Bot) rules(_ context.Context, r request) ([]Note, error) {
	if len(r.args) == 0 {
		return r.answer(words.ListRules(b.games.Variants())), nil
	}
	v := calledBy(b.games.Variants(), r.args...)
	if v == nil {
		return r.answer(words.NoVariant(r.text, nearestGame(b.games.Variants(), r.text), b.games.Variants())), nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	d := render.Of(start, nil, rules.White)
	return []Note{{To: r.me.ID, Text: words.Say(v.Rules), Board: &d}}, nil
}

func (b *Bot) help(_ context.Context, r request) ([]Note, error) {
	if len(r.args) == 0 {
		return r.answer(words.HelpAll(usages())), nil
	}
	c := find(Commands(), strings.TrimPrefix(r.args[0], "/"))
	if c == nil {
		return r.answer(words.Unknown(r.args[0], nearest(r.args[0]))), nil
	}
	return r.answer(words.HelpOne(c.usage())), nil
}

func (b *Bot) version(_ context.Context, r request) ([]Note, error) {
	return r.answer(words.Say(b.about)), nil
}
