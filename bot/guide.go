package bot

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
	"chimera/storage"
)

func showRules(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if study, err := b.openStudy(ctx, r); err == nil && study != nil && len(r.Args) == 0 {
		r.Args = []string{r.studied()}
	}
	if len(r.Args) == 0 && (r.Game != 0 || r.Msg.ReplyTo != 0 || r.Command == nil) {
		if view, err := b.shown(ctx, r, match.Latest); err == nil {
			r.Args = []string{view.Variant.Key} // of the game that goes on
		}
	}
	if len(r.Args) == 0 {
		said := message.Message{To: r.Me.ID, Text: words.ListRules(b.Games.Variants()), Step: r.Msg.Press != "", Buttons: b.chooseGame("rules-of")}
		said.Buttons = append(said.Buttons, words.If(said.Step, plainButton(words.Label("back"), "hello"))...)
		return &said, nil
	}
	v := variantNamed(b.Games.Variants(), r.Args...)
	if v == nil {
		return r.answer(words.NoVariant("rules", r.Text, likelyVariants(b.Games.Variants(), r.Text), b.Games.Variants())), nil
	}
	start, _ := v.Position("") // it is the game's own
	said := message.Message{To: r.Me.ID, Guide: v.Key, Board: new(diagram.Of(start, nil, rules.White)), Step: r.Msg.Press != "" && r.Game == 0}
	said.Text = words.Of(v.Rules, "\n\n", words.Say("show.rules-next", "piece", v.Table[rules.NoRole+2].Code, "kind", v.Key))
	said.Buttons = append(words.If(len(v.Course) > 0, plainButton(words.Label("learn"), "learn", v.Key)),
		plainButton(words.Label("play-me"), "play-game", v.Key),
		plainButton(words.Label("back"), "rules"))
	return &said, nil
}

// studied is the game of the lesson or puzzle that the asker was shown last, "" for none.
func (r Request) studied() string {
	return words.Either(r.Me.Training.At.After(r.Me.Studies.At), cmp.Or(r.Me.Training.Day.Game, r.Me.Training.Game), r.Me.Studies.Game)
}

// Guide is the rules of a game, with pictures, in a language.
type Guide struct {
	Key, Name, About string
	Rules            words.Text
	Start            diagram.Diagram
	Learned          bool         // there is a course
	Merges           bool         // pieces are made
	Pieces           []GuidePiece // all with a name, and the game's emblem
}

// GuidePiece is a piece of a Guide.
type GuidePiece struct {
	Name, Does string
	Code       string          // in addresses
	Parts      []string        // the codes of the simple pieces that it is made of, or its own
	Card       diagram.Diagram // what it can do
	Signs      []diagram.Sign  // on the card
}

// Guides are the rules of all games in short, without pictures.
func (b *Bot) Guides(l phrase.Language) []Guide {
	return phrase.Each(b.Games.Variants(), func(v *rules.Variant) Guide {
		return Guide{Key: v.Key, Name: v.Title().Text(l), About: v.About.Text(l)}
	})
}

// Guide is the rules of the game of a key, with only the piece of a code unless that is "". It returns [ErrNothing] if
// there is no such game or piece, and takes up to a tenth of a second.
func (b *Bot) Guide(game, piece string, l phrase.Language) (*Guide, error) {
	v := b.Games.Variant(game)
	if v == nil {
		return nil, ErrNothing
	}
	start, _ := v.Position("") // it is the game's own
	g := &Guide{
		Key: v.Key, Name: v.Title().Text(l), About: v.About.Text(l), Rules: words.Of(v.Rules).In(l),
		Start: diagram.Of(start, nil, rules.White), Learned: len(v.Course) > 0, Merges: v.Merges(),
	}
	g.Start.Idle = true
	pieces := guided(v, start)
	if piece != "" {
		if pieces = []rules.Piece{pieceOf(v, piece)}; pieces[0] == (rules.Piece{}) {
			return nil, ErrNothing
		}
	}
	for _, p := range pieces {
		card, err := pieceCard(v, p)
		if err != nil {
			return nil, err
		}
		card.Speak(l)
		signs := card.Board.Legend[0].Signs
		card.Board.Legend = nil
		name := words.Of(v.Noun(p)).In(l).Plain()
		if !named(v, p) { // its parts have names
			parts := slices.DeleteFunc(slices.Clone(signs), func(s diagram.Sign) bool { return s.Mark.Kind != diagram.Goes })
			name = strings.Join(phrase.Each(parts, func(s diagram.Sign) string { return v.Noun(s.Mark.Piece).Text(l) }), " + ")
		}
		simple := slices.Concat(v.Table.Simple(p.White), words.If(p.Shared(), v.Table.Simple(p.Black)...))
		codes := phrase.Each(simple, func(r rules.Role) string { return v.Table[r].Code })
		g.Pieces = append(g.Pieces, GuidePiece{name, words.Of(v.What(p)).In(l).Plain(), codeOf(v, p), codes, *card.Board, signs})
	}
	return g, nil
}

// guided are the pieces of a Guide, in the order of the game's piece table: those with a name, and the
// emblem.
func guided(v *rules.Variant, start *rules.Position) (all []rules.Piece) {
	board, emblem := start.Board(), words.Emblem(v)
	for r := range v.Table[1:] {
		if p := rules.PieceOf(rules.White, rules.Role(r+1)); p == emblem || slices.Contains(board[:], p) || named(v, p) {
			all = append(all, p)
		}
	}
	return append(all, words.If(emblem.Shared(), emblem)...)
}

// tellHow tells what the piece on a square of a game may do, or what a piece with a name can do in
// general.
func tellHow(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	var named *rules.Variant
	var said []string
	for _, word := range r.Args {
		if v := b.Games.Variant(strings.ToLower(word)); v != nil && named == nil {
			named = v
			continue
		}
		said = append(said, word)
	}
	piece := strings.Trim(strings.Join(said, " "), "[]")
	switch {
	case piece == "", named != nil && named.Shape.Parse(strings.ToLower(piece)) != rules.NoSquare:
		return r.answer(words.Say("show.how-what")), nil // only a game has something on its squares
	case named != nil:
		return howPiece(r, []*rules.Variant{named}, piece)
	}
	view, err := b.shown(ctx, r, match.Latest)
	var several *severalGames
	switch {
	case err == nil:
		if sq := view.Variant.Shape.Parse(strings.ToLower(piece)); sq != rules.NoSquare {
			said := howSquare(r, view, sq)
			if said.Board != nil {
				said.Board.Legend = words.ZoneLegend(*said.Board)
			}
			return said, nil
		}
		return howPiece(r, b.having(piece, view.Variant), piece)
	case squareName.MatchString(piece), r.Game != 0 || r.Msg.ReplyTo != 0:
		return nil, err // only a game has squares
	case errors.Is(err, errNoGame), errors.As(err, &several):
		return howPiece(r, b.having(piece, b.Games.Variant(r.studied())), piece)
	}
	return nil, err
}

// having are the games that a question about a piece may mean: the game that the asker plays or
// learns, if it or no game has the piece; else all games that have it.
func (b *Bot) having(piece string, known *rules.Variant) []*rules.Variant {
	all := slices.DeleteFunc(slices.Clone(b.Games.Variants()), func(v *rules.Variant) bool { return piecesCalled(v, piece) == nil })
	if known != nil && (len(all) == 0 || slices.Contains(all, known)) {
		return []*rules.Variant{known}
	}
	return words.Either(len(all) == 0, b.Games.Variants(), all)
}

// howSquare tells of the piece on a square, and shows where it could go if it were its turn.
func howSquare(r Request, s *match.GameView, sq rules.Square) *message.Message {
	pos := s.Now.Position
	texts := slices.Concat(phrase.Each(legalByPiece(pos, sq), func(of words.MovesOf) []string { return of.Texts })...)
	lead := s.Variant.Showing(pos.Board()[sq])
	said := &message.Message{To: r.Me.ID, Text: words.Advised(words.HowSquare(s, sq, texts), lead), Buttons: message.LeadButtons(lead)}
	if pos.Board()[sq] != (rules.Piece{}) {
		d := diagram.Of(pos, s.Effects, pos.Turn()).ShowMoves(sq, reach(pos, sq)).ShowZones(pos.Influences())
		d.Over = isOver(s)
		setPicture(said, s, d)
	}
	return said
}

// howPiece tells about the first piece that a text names in some games, with its card; it mentions the
// others.
func howPiece(r Request, all []*rules.Variant, piece string) (_ *message.Message, err error) {
	var said message.Message
	var others []words.Span
	for _, v := range all {
		for _, p := range piecesCalled(v, piece) {
			if said.Board != nil {
				others = append(others, words.Span{Words: "how " + codeOf(v, p) + " " + v.Key, Style: words.Code})
				continue
			}
			if said, err = pieceCard(v, p); err != nil {
				return nil, err
			}
			lead := v.Showing(p)
			said.To, said.Text, said.Buttons = r.Me.ID, words.Advised(said.Text, lead), message.LeadButtons(lead)
		}
	}
	switch {
	case others != nil:
		said.Text = words.Of(said.Text, "\n", words.Say("show.pieces-also", "others", phrase.Commas(others)))
	case said.Board == nil && squareName.MatchString(piece):
		return r.answer(words.Say("show.how-no-square", "word", piece)), nil
	case said.Board == nil:
		return r.answer(words.NoSuchPiece(all, piece)), nil
	}
	return &said, nil
}

// pieceCard tells of a piece of a game, and shows what it can do.
func pieceCard(v *rules.Variant, p rules.Piece) (message.Message, error) {
	power, err := analysis.Of(v, p)
	card := diagram.Card(v, power)
	card.Legend = words.Card(v, p, power)
	return message.Message{Text: words.Say("show.piece", "kind", v.Title(), "does", v.What(p)), Guide: v.Key + "/" + codeOf(v, p), Board: &card, Size: render.Medium}, err
}

// Met is what people are told of a piece that they touch.
type Met struct {
	Name, Now phrase.Phrase // what it is, and what it may do where it stands
	Does      phrase.Phrase // what such a piece may do
	Plain     bool          // chess has it, too
	Goes      string        // squares to which it could go, and on which it could capture, if it were its turn
}

// Met tells of the piece on a square of a board; nil if there is none.
func (b *Bot) Met(pos *rules.Position, square string) *Met {
	if pos == nil {
		return nil
	}
	v, board := pos.Variant(), pos.Board()
	sq := v.Shape.Parse(square)
	if sq == rules.NoSquare || board[sq] == (rules.Piece{}) {
		return nil
	}
	p := board[sq]
	text := func(info rules.RoleInfo) string { return info.Does.With("piece", info.Noun).String() }
	plain := !p.Shared() && slices.ContainsFunc(b.Games.Variant("chess").Table[1:], func(info rules.RoleInfo) bool {
		return text(info) == text(v.Table[p.White|p.Black])
	})
	var goes rules.Set
	for _, m := range reach(pos, sq) {
		if m.From == sq {
			goes |= m.To.Set() | m.Kills
		}
	}
	does, now := pos.Does(sq)
	return &Met{words.Lettered(v, p), now, does, plain, v.Shape.Names(goes &^ sq.Set())}
}

// moment is a typical moment of a game: a move, and the part of the board around it.
type moment struct{ fen, move, from, to string }

// moments are the games' typical moments, by key. A game without one shows its start.
var moments = map[string]moment{ //nolint:gochecknoglobals // never written
	"combine":      {"4k3/5ppp/8/8/8/8/PP2P3/1RNBK3 w - - 0 1", "b1~c1", "a1", "e2"},
	"combine-free": {"4k3/5ppp/8/8/8/8/1P3P2/2BR2K1 w - - 0 1", "d1+c1~d2", "b1", "f2"},
	"knightmare":   {"4k3/5ppp/8/8/8/8/1P1r1P2/1NB2K2 w - - 0 1 -", "c1d2", "b1", "f2"},
	"stealth":      {"4k3/5ppp/8/8/8/8/1P3P2/[RRR]1nb1K2 w - - 0 1", "a1d1xc1", "b1", "f2"},
	"brigade":      {"4k3/5ppp/8/8/8/8/1P1n1P2/2B1QK2 w - - 0 1", "c1c1xd2", "b1", "f2"},
	"combination":  {"", "", "b2", "f3"},
	"chess":        {"r3k3/pp3p2/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7", "a7", "e8"},
}

// Shown is a drawing of a game's typical "move", of its puzzle with a number, or of a piece by its
// code; or, for "face", of one of the computer's characters. It fails with [ErrNothing] if there is no
// such thing.
func (b *Bot) Shown(game, what string, look storage.Look) ([]byte, error) {
	if face := diagram.FaceOf(what, rules.White); game == "face" && face != (rules.Piece{}) {
		return drawAlone(diagram.Faces(), face, storage.Look{Theme: look.Theme})
	}
	v := b.Games.Variant(game)
	if v == nil {
		return nil, ErrNothing
	}
	if what == "move" {
		return drawMoment(v, moments[v.Key], look)
	}
	if p := pieceOf(v, what); p != (rules.Piece{}) {
		return drawAlone(v.Table, p, look)
	}
	n, _ := strconv.Atoi(what) // 0 is no puzzle
	task := b.Training.Task(v, n-1, 0)
	if task == nil {
		return nil, ErrNothing
	}
	return drawMoment(v, moment{fen: task.Position().FEN()}, look)
}

// drawAlone draws a piece on a square of its own.
func drawAlone(t rules.Table, p rules.Piece, look storage.Look) ([]byte, error) {
	var picture bytes.Buffer
	d := diagram.Diagram{Table: t}
	message.SetLook(&d, look)
	err := render.SVG(&picture, d.Alone(diagram.Sign{Piece: p}), render.MinSize, phrase.English)
	return picture.Bytes(), err
}

func drawMoment(v *rules.Variant, m moment, look storage.Look) ([]byte, error) {
	pos, err := v.Position(m.fen)
	if err != nil {
		return nil, err
	}
	var did []rules.Effect
	if m.move != "" {
		move, err := pos.Parse(m.move)
		next, err2 := pos.Play(move)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		did, pos = pos.Effects(move), next
	}
	d := diagram.Of(pos, did, rules.White).ShowZones(pos.Influences())
	if m.from == "" {
		d = diagram.Of(pos, nil, pos.Turn())
	}
	message.SetLook(&d, look)
	from, to := v.Shape.Parse(m.from), v.Shape.Parse(m.to)
	var picture bytes.Buffer
	err = render.Detail(&picture, d, from, to)
	return picture.Bytes(), err
}
