package rules

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"chimera/rules/phrase"
)

// Variant is one game: its board, its pieces, its start, and how its positions are made. Its package makes it once, and
// it is read-only from then on.
type Variant struct {
	Key   string        // names the game in commands and stored records: "combine"
	Name  string        // names it for people: "Combine Chess"; see also [Variant.Title]
	Words *phrase.Book  // the game's own sentences; nil if it has none
	About phrase.Phrase // says in a line what is special about it, without a full stop, in at most 100 characters
	Rules phrase.Phrase // explains the game to people, in under 2,000 characters
	Start string        // FEN of the start position
	Shape *Shape
	Table Table

	// Shared is the noun of a piece that belongs to both sides, with {one} and {other} for its two parts. If it is set,
	// there may be such pieces: a FEN may mix both cases in a bracket.
	Shared phrase.Phrase
	// Notation explains letters and signs in moves that differ from chess.
	Notation phrase.Phrase
	// Fields name what the game adds to a FEN after its six fields, such as
	// "frozen square". A FEN has all of them or none; [Setup].Own holds them.
	Fields []string

	// Files reads the game's other files, each optional: numbers.txt, puzzles.txt and course.json, which become the
	// following three fields; nil if there are none.
	Files func(name string) ([]byte, error)

	// Numbers are the weights with which chimera/rules/engine evaluates positions, in the format of its Numbers.Text; ""
	// if none have been learned: then the engine uses accepted values.
	Numbers string

	// Course teaches the differences to somebody who knows chess, step by step; nil if there is none.
	Course []Lesson

	// Puzzles are positions with one way to win, in the format of chimera/rules/puzzle; "" if there are none.
	Puzzles string

	// FromSetup, set by NewVariant, makes the position of a Setup, or says in one sentence why there is none. It accepts
	// every position that can arise in a game, and many that cannot: it refuses those that could not be played on.
	FromSetup func(Setup) (*Position, error)

	spoken func() *spoken // how its pieces are called
	like   func() likeness
	play   func(Core, Move) *Position
	cursor func(Core) Cursor
}

// NewVariant makes a game from its facts, and from load, which reads a Setup into an empty State or returns a
// [*BadFEN].
func NewVariant[S any, P State[S]](v Variant, load func(P, Setup) error) *Variant {
	v.spoken, v.like = v.speech(), v.likenesses()
	v.readFiles()
	for i := range v.Course {
		v.Course[i].book = v.Words
	}
	v.FromSetup = func(setup Setup) (*Position, error) {
		s := P(new(S))
		if err := load(s, setup); err != nil {
			return nil, err
		}
		return newPosition(&v, s), nil
	}
	v.play = func(s Core, m Move) *Position {
		next := new(S)
		s.(P).Play(m, next)
		return newPosition(&v, P(next))
	}
	v.cursor = func(s Core) Cursor { return newCursor[S, P](s.(P)) }
	return &v
}

// readFiles reads the game's files. It panics if a course is wrong, since that is part of the program.
func (v *Variant) readFiles() {
	if v.Files == nil {
		return
	}
	read := func(name string) []byte {
		text, _ := v.Files(name) // a missing file is empty
		return text
	}
	v.Numbers, v.Puzzles = string(read("numbers.txt")), string(read("puzzles.txt"))
	if course := read("course.json"); course != nil {
		if err := json.Unmarshal(course, &v.Course); err != nil {
			panic(fmt.Sprintf("rules: course of %s: %v", v.Key, err))
		}
	}
}

// Position reads a FEN; the empty text is the start position. Errors are
// [*BadFEN].
func (v *Variant) Position(fen string) (*Position, error) {
	setup, err := v.parseFEN(cmp.Or(fen, v.Start))
	if err != nil {
		return nil, err
	}
	return v.FromSetup(setup)
}

// Find is the game of a key, or nil.
func Find(all []*Variant, key string) *Variant {
	for _, v := range all {
		if v.Key == key {
			return v
		}
	}
	return nil
}

// A Lesson is a step of a game's course: a position in which one thing is to be done, by one move. A course is a list
// of them, as JSON objects with these fields, and two that only the game's tests read: "happens" are the effects of
// each right move, and "ends" says that each ends the game.
type Lesson struct {
	// Topic is the lesson's subject, and the key of its sentences: "course.<topic>" in the game's Words.
	Topic string
	FEN   string
	// Right are the correct moves, as coordinate texts; all others are wrong.
	Right []string
	// Near are wrong moves with an explanation of their own.
	Near []string
	// Explains are the reasons for refusals that the lesson explains, each possible in its position or after a right move.
	// No other lesson of the course has them.
	Explains []Reason
	// Shows are the codes of pieces that the lesson explains, likewise; a piece that both sides own stands for all such.
	Shows []string

	book *phrase.Book // which NewVariant sets
}

func (l *Lesson) say(about string) phrase.Phrase {
	return l.book.Say("course." + l.Topic + "." + about)
}

// Task says in two or three sentences what the position shows and what to do.
func (l *Lesson) Task() phrase.Phrase { return l.say("task") }

// Hint is for somebody who does not find the move.
func (l *Lesson) Hint() phrase.Phrase { return l.say("hint") }

// Nearly says why a move in Near is wrong.
func (l *Lesson) Nearly() phrase.Phrase { return l.say("near") }

// Well says what a right move has done.
func (l *Lesson) Well() phrase.Phrase { return l.say("well") }

// Lead is the lesson that explains something. The zero Lead is none.
type Lead struct {
	Variant *Variant
	Number  int // of the lesson, from 1
}

// Title is Name in each language, where the game's book has it.
func (v *Variant) Title() phrase.Phrase {
	if v.Words != nil && v.Words.Has("name") {
		return v.Words.Say("name")
	}
	return phrase.As(v.Name)
}

// Explaining is the lesson that makes clear why something is refused.
func (v *Variant) Explaining(why Reason) Lead {
	return v.lead(func(l *Lesson) bool { return slices.Contains(l.Explains, why) })
}

// Showing is the lesson that is about a piece.
func (v *Variant) Showing(p Piece) Lead {
	if p == (Piece{}) {
		return Lead{}
	}
	return v.lead(func(l *Lesson) bool {
		return slices.ContainsFunc(l.Shows, func(code string) bool {
			shown := v.Called(code)
			return p.Shared() && shown.Shared() || !p.Shared() && shown == Piece{White: p.White | p.Black}
		})
	})
}

func (v *Variant) lead(wanted func(*Lesson) bool) Lead {
	for i := range v.Course {
		if wanted(&v.Course[i]) {
			return Lead{v, i + 1}
		}
	}
	return Lead{}
}

//go:embed words
var words embed.FS

// book has the sentences common to all games, and the names of orthodox pieces.
var book = phrase.NewBook(words) //nolint:gochecknoglobals // read once, never written

// Book has the sentences common to all games, and the names of orthodox pieces.
func Book() *phrase.Book { return book }

// Shares reports whether a piece may belong to both sides.
func (v *Variant) Shares() bool { return !v.Shared.IsZero() }

// Merges reports whether two pieces can become one.
func (v *Variant) Merges() bool {
	return v.Shares() || slices.ContainsFunc(v.Table, func(info RoleInfo) bool { return len(info.Parts) > 1 })
}

// Noun is the name of a piece: "knight", or "knightmare (rook + knight)" for one owned by both sides.
func (v *Variant) Noun(p Piece) phrase.Phrase {
	if !p.Shared() {
		return v.Table[p.White|p.Black].Noun
	}
	one, other := v.Table[p.White], v.Table[p.Black]
	if letterOrder(other.Code[0]) < letterOrder(one.Code[0]) {
		one, other = other, one
	}
	return v.Shared.With("one", one.Noun, "other", other.Noun)
}

// on is the noun of a piece with its square.
func (v *Variant) on(p Piece, sq Square) phrase.Phrase {
	return book.Say("piece-on", "piece", v.Noun(p), "square", v.Shape.Name(sq))
}

// What is a sentence about what a piece can do anywhere.
func (v *Variant) What(p Piece) phrase.Phrase {
	if p.Shared() && p.White == p.Black {
		return book.Say("shared.same", "piece", v.Noun(p), "one", v.Table[p.White].Noun, "does", v.What(Piece{White: p.White}))
	}
	if p.Shared() {
		return book.Say("shared.does", "piece", v.Noun(p),
			"one-does", v.What(Piece{White: p.White}), "other-does", v.What(Piece{Black: p.Black}))
	}
	info := v.Table[p.White|p.Black]
	if info.Noun.String() == info.Code {
		return info.does(info.Noun)
	}
	return info.does(book.Say("piece-called", "piece", info.Noun, "letters", info.Code))
}

// does says what a piece with that noun does, and what else there is to know of it.
func (info *RoleInfo) does(piece phrase.Phrase) phrase.Phrase {
	said := info.Does.With("piece", piece)
	if info.Also.IsZero() {
		return said
	}
	return book.Say("all", "sentences", phrase.Spaced([]phrase.Phrase{said, info.Also}))
}

// Describe says in whole sentences what a move did, given its [Position.Effects].
func (v *Variant) Describe(effects []Effect) phrase.Phrase {
	if len(effects) == 0 {
		return phrase.Phrase{}
	}
	var did [Lent + 1][]Effect
	var taken []Effect
	var becomes Piece
	for _, e := range effects {
		did[e.Kind] = append(did[e.Kind], e)
		if e.Kind.Captures() {
			taken = append(taken, e)
		}
		if e.Kind == Absorbed || e.Kind == Born || e.Kind == Promoted {
			becomes = e.Into
		}
	}
	main := slices.Concat(did[Moved], did[Merged], did[Parted], effects)[0]
	say := func(key string, parts ...any) phrase.Phrase {
		parts = append(parts, "piece", v.Noun(main.Piece), "from", v.Shape.Name(main.From), "to", v.Shape.Name(main.To),
			"into", v.Noun(cmp.Or(becomes, main.Into)), "pieces", phrase.And(v.allOn(taken)))
		for _, e := range taken {
			parts = append(parts, "prey", v.Noun(e.Piece)) // the first counts
		}
		return book.Say("did."+key, parts...)
	}
	switch there := len(taken) == 1 && taken[0].To == main.To; {
	case did[Annihilated] != nil:
		rest := effects[:len(effects)-len(did[Annihilated])]
		return say("annihilates", "move", v.Describe(rest), "pieces", phrase.And(v.allOn(did[Annihilated])))
	case did[Lent] != nil:
		rest, lent := effects[:len(effects)-1], did[Lent][0]
		return say("lends", "move", v.Describe(rest), "lender", v.on(lent.Piece, lent.From))
	case did[Shot] != nil:
		shot := did[Shot][0]
		parts := []any{"prey", v.Noun(shot.Piece), "target", v.Shape.Name(shot.To)}
		switch {
		case len(effects) != 2 || did[Moved] == nil:
			return say("shot", append(parts, "from", v.Shape.Name(shot.From))...)
		case shot.From == main.To:
			return say("moves-shoots", parts...)
		}
		return say("shoots-moves", parts...)
	case did[Merged] != nil:
		other := did[Merged][1]
		parts := []any{"other", v.Noun(other.Piece), "second", v.Shape.Name(other.From)}
		switch {
		case other.From == other.To:
			return say("joins", parts...)
		case taken != nil:
			return say("meets-takes", parts...)
		}
		return say("meets", parts...)
	case did[Parted] != nil:
		return say("parts", "other", v.Noun(main.Into))
	case did[Moved] == nil:
		return say("takes-from", "pieces", phrase.And(v.allOn(effects)))
	case did[Castled] != nil:
		rook := did[Castled][0]
		return say("castles", "rook", v.Noun(rook.Piece), "rook-from", v.Shape.Name(rook.From), "rook-to", v.Shape.Name(rook.To))
	case did[Born] != nil:
		return say("bears")
	case there && becomes != Piece{}:
		return say("takes-becomes")
	case there:
		return say("takes")
	case taken != nil && becomes != Piece{}:
		return say("raids-becomes")
	case taken != nil:
		return say("raids")
	case becomes != Piece{}:
		return say("becomes")
	}
	return say("moves")
}

// allOn are the pieces of effects, each with its square.
func (v *Variant) allOn(effects []Effect) []phrase.Phrase {
	return phrase.Each(effects, func(e Effect) phrase.Phrase { return v.on(e.Piece, e.To) })
}
