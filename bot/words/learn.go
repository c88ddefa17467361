package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
	"chimera/storage"
)

// percent is a share as a whole number.
func percent(share float64) int { return int(100*share + .5) }

// Review tells how an ended game was played: how well by either side, and which moves decided it.
func Review(s *match.GameView, told *computer.Story) Text {
	lines := []Text{
		Say("review.title", "kind", s.Variant.Title(), "game", Hash(s.Game.ID), "white", s.Names[0], "black", s.Names[1],
			"white-share", int(told.Accuracy[0]+.5), "black-share", int(told.Accuracy[1]+.5)),
	}
	lines = append(lines, Join(" ", append(GaveUp(s, told, 0), Say("review.moments", "n", len(told.TurningPoints)))...)) // five lines fit a phone
	for _, m := range told.TurningPoints {
		lines = append(lines, Say("review.moment", "move", Ply(m.Before, m.Played), "player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became)))
	}
	return Lines(lines)
}

// GaveUp tells of somebody who resigned a game that was not lost; nil for any other game. Against the computer, it
// addresses them as "you" if they are me.
func GaveUp(s *match.GameView, told *computer.Story, me storage.PersonID) []Text {
	share, side := percent(computer.Chances(told.Scores[len(told.Scores)-1])), rules.White
	if s.Game.Result == rules.WinFor(rules.White).String() {
		share, side = 100-share, rules.Black
	}
	const poor = 40 // per cent
	return If(s.Game.Ending == string(rules.ByResignation) && share >= poor, Say("review.gave-up", "player", s.Names[side], "share", share, "you", me != 0 && s.Game.Practice() && s.Game.Players[side] == me))
}

// TurningPoint tells of one of the moves that decided a game, counted from 0, and what was better.
func TurningPoint(s *match.GameView, story *computer.Story, n int) Text {
	m := &story.TurningPoints[n]
	title := Say("review.at", "kind", s.Variant.Title(), "game", Hash(s.Game.ID), "n", n+1, "all", len(story.TurningPoints), "move", Ply(m.Before, m.Played),
		"player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became))
	then := m.Before.Line(append([]rules.Move{m.Played}, m.Answer...))
	told := Join(" ", Of(cost(m)), could(m), Of(s.Variant.Describe(m.Before.Effects(m.Better[0]))))
	lines := append([]Text{title, told}, If(len(then) > 1, Say("review.then", "line", Line(m.Before, then)))...)
	lines = append(lines, If(len(m.Better) > 1, Say("review.line", "line", Line(m.Before, m.Before.Line(m.Better))))...)
	return Lines(lines)
}

// Moment tells what a move cost, in chances if pieces alone don't show it, and what was better.
func Moment(m *computer.TurningPoint) Text {
	const much = .05
	unclear := m.Mates == 0 && !m.Loses() && !m.Misses() || m.Loses() && (len(m.Loss.Took) > 0 || m.Loss.Net == -1)
	fell := If(unclear && m.Mated == 0 && m.Could-m.Became >= much, Say("review.fell", "side", m.Before.Turn(), "after", percent(m.Became)))
	return Join(" ", append(append([]Text{Of(cost(m))}, fell...), could(m))...)
}

// cost tells the best answer to a move and what the move lost by it; nothing if a missed win or mate says more.
func cost(m *computer.TurningPoint) phrase.Phrase {
	if len(m.Answer) == 0 {
		return phrase.Phrase{}
	}
	answer := []any{"answer", Ply(m.After, m.Answer[0])}
	switch {
	case m.Mated > 0:
		return book.Say("review.lost-mate", append(answer, "n", m.Mated)...)
	case m.Loses():
		at := Either(slices.Contains(m.Taken, m.Loss.Gave[0]), "once", "later")
		return book.Say("review.lost-pieces", append(append(answer, "at", at), traded(m.Before, m.Loss.Gave, m.Loss.Took)...)...)
	case m.Mates > 0 || m.Misses():
		return phrase.Phrase{}
	}
	return book.Say("review.lost-chances", append(answer, "n", len(m.Taken), "pieces", counted(m.Before, m.Taken, true))...)
}

// could tells what a better move would have achieved.
func could(m *computer.TurningPoint) Text {
	better := Ply(m.Before, m.Better[0])
	switch {
	case m.Mates > 0:
		return Say("review.could-mate", "move", better, "n", m.Mates)
	case m.Misses():
		return Say("review.could-win", append(traded(m.Before, m.Gain.Took, m.Gain.Gave), "move", better)...)
	case m.Loses() && m.Gain.Net >= 0 && m.Mated == 0:
		return Say("review.could-keep", "move", better)
	}
	return Say("review.could-hold", "move", better, "side", m.Before.Turn(), "before", percent(m.Could))
}

// traded are the parts of a sentence about pieces traded for others.
func traded(before *rules.Position, pieces, others []rules.Piece) []any {
	return []any{"pieces", counted(before, pieces, true), "n", len(others), "for", counted(before, others, false)}
}

// counted lists pieces, with the number of each kind; equal ones must be adjacent. Those that are the only ones of their
// kind get "the" if they are known.
func counted(before *rules.Position, pieces []rules.Piece, known bool) phrase.List {
	v, all := before.Variant(), []phrase.Phrase(nil)
	for i, n := 0, 0; i < len(pieces); i += n {
		board := before.Board()
		for n = 1; i+n < len(pieces) && v.Noun(pieces[i+n]).Key() == v.Noun(pieces[i]).Key(); n++ {
		}
		the := known && len(slices.DeleteFunc(board[:], func(p rules.Piece) bool { return p != pieces[i] })) < 2
		all = append(all, book.Say(Either(the, "review.own", "review.some"), "n", n, "piece", v.Noun(pieces[i])))
	}
	return phrase.And(all)
}

// ReviewChart shows how the chances of both sides went up and down in an ended game, what decided
// it, and which pieces became more than they were.
func ReviewChart(s *match.GameView, told *computer.Story) *chart.Chart {
	plot := &chart.Chances{
		Title: book.Say("review.chances"), Figure: book.Say("review.height"), First: float64(s.Start.FullMove()) + .5*float64(s.Start.Turn()),
		White: phrase.Each(told.Scores, computer.Chances), Moments: phrase.Each(told.TurningPoints, func(m computer.TurningPoint) int { return m.Ply }),
	}
	for _, b := range told.Births {
		plot.Births[b.Side] = append(plot.Births[b.Side], b.Ply+1)
	}
	players := &chart.Figures{}
	for side, name := range s.Names {
		players.Rows = append(players.Rows, chart.Figure{
			Name: book.Say("review.player", "player", name, "side", rules.Color(side)), Figure: book.Say("review.share", "n", int(told.Accuracy[side]+.5)),
		})
	}
	picture := &chart.Chart{
		Title: phrase.As(s.Names[0]), And: s.Names[1],
		Note:  book.Say("review.about", "kind", s.Variant.Title(), "game", Hash(s.Game.ID), "result", s.Game.Result),
		Parts: []chart.Part{players, plot},
	}
	if facts := births(s, told.Births); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// births tells where the first combined pieces arose, and by which moves.
func births(s *match.GameView, all []computer.Birth) chart.Facts {
	const most = 6
	shown := all[:Either(len(all) > most, most-1, len(all))]
	facts := phrase.Each(shown, func(b computer.Birth) phrase.Phrase {
		return book.Say("review.birth", "move", moveAt(s, b.Ply+1, b.Move), "piece", s.Variant.Noun(b.Piece), "square", s.Variant.Shape.Name(b.On))
	})
	if more := len(all) - len(shown); more > 0 {
		facts = append(facts, book.Say("review.births-more", "n", more))
	}
	return facts
}

// Key is the move to remember a game by.
type Key struct {
	Before *rules.Position
	Move   rules.Move
	Moment *computer.TurningPoint // what a review says of it, nil without one
}

// told tells what the move did, and what it cost if known.
func (k *Key) told(v *rules.Variant) phrase.Phrase {
	did := v.Describe(k.Before.Effects(k.Move))
	if k.Moment != nil {
		if lost := cost(k.Moment); !lost.IsZero() {
			return book.Say("share.cost", "did", did, "cost", lost)
		}
	}
	return did
}

// Share tells what is on the card of a game; key may be nil. Nobody is mentioned, as nobody has to
// act on it.
func Share(s *match.GameView, key *Key) Text {
	going := Say("share.going", "player", s.Names[s.Now.Position.Turn()], "n", s.Now.Position.FullMove())
	stands := Either(s.Game.Over(), Ended(s, 0), going)
	if key == nil {
		return Lines([]Text{title(s), stands})
	}
	return Lines([]Text{title(s), stands, Say("share.text", "move", Ply(key.Before, key.Move), "told", key.told(s.Variant))})
}

// ShareChart is a game's card to be passed on: its board, whose bars tell who plays and how it ended; unless key
// is nil, the moment to remember, drawn as scene; and who made the picture. Its date is in a time zone.
func ShareChart(s *match.GameView, board, scene diagram.Diagram, key *Key, zone *time.Location) *chart.Chart {
	parts := []chart.Part{&chart.Board{Diagram: board}}
	if key != nil {
		part := &chart.Scene{Diagram: scene, Title: book.Say("share.key"), Move: Ply(key.Before, key.Move), Text: key.told(s.Variant)}
		if m := key.Moment; m != nil {
			part.Figure = book.Say("share.swing", "side", key.Before.Turn(), "before", percent(m.Could), "after", percent(m.Became))
		}
		parts = append(parts, part)
	}
	return &chart.Chart{
		Title: s.Variant.Title(),
		Note:  book.Say("share.about", "game", Hash(s.Game.ID), "date", chart.Date(s.Game.Changed.In(zone)), "n", (len(s.Game.Moves)+1)/2),
		Parts: append(parts, &chart.Signature{Name: "Chimera", About: book.Say("share.made")}),
	}
}

// GamesChart draws games as boards, each with whose turn it is, and tells how many of all games in progress are
// not drawn; nil if none is. Dates are in a time zone.
func GamesChart(games []match.Item, all int, boards []diagram.Diagram, zone *time.Location) *chart.Chart {
	if len(boards) == 0 {
		return nil
	}
	sheet := &chart.Boards{}
	for i, board := range boards {
		it := &games[i]
		turn := book.Say(Either(it.Mine, "games.sheet-yours", "games.sheet-theirs"))
		small := chart.Small{Diagram: board, Title: phrase.As(Hash(it.Game.ID)), Name: it.Opponent, Kind: it.Variant, Note: turn, Lit: it.Mine}
		if !it.Due.IsZero() {
			small.When = Day(it.Due.In(zone))
		}
		*sheet = append(*sheet, small)
	}
	picture := &chart.Chart{Title: book.Say("games.sheet"), Note: book.Say("chart.in-progress", "n", all), Parts: []chart.Part{sheet}}
	if more := all - len(boards); more > 0 {
		picture.Parts = append(picture.Parts, &chart.Facts{book.Say("games.more", "n", more)})
	}
	return picture
}

// Advised adds to a text the lesson that explains it, if there is one.
func Advised(said Text, lead rules.Lead) Text {
	if lead.Number == 0 {
		return said
	}
	return Of(said, "\n", Say("course.advice", "n", lead.Number, "kind", lead.Variant.Title(), "key", lead.Variant.Key))
}

// Line writes moves in move text, with their numbers.
func Line(from *rules.Position, moves []string) string {
	return strings.TrimSpace(archive.Numbered(from, moves, ""))
}

// PuzzleRating tells how somebody's puzzle rating changed, by a puzzle whose own rating is of.
func PuzzleRating(before, after, of float64) Text {
	was, is := int(math.Round(before)), int(math.Round(after))
	change := Either(is == was, "±0", strings.Replace(fmt.Sprintf("%+d", is-was), "-", "−", 1))
	return Say("puzzle.rating", "rating", strconv.Itoa(is), "change", change, "of", fmt.Sprintf("%.0f", of))
}

// Themes lists themes as people type them, with their names.
func Themes(themes []puzzle.Theme) phrase.List {
	return phrase.Commas(phrase.Each(themes, func(t puzzle.Theme) phrase.Phrase {
		return book.Say("puzzle.theme", "key", string(t), "name", Called(string(t)))
	}))
}

// DailySolution tells the moves that solve a puzzle, and who found them: finders names some, all counts
// them.
func DailySolution(v *rules.Variant, moves Text, finders []Text, all int) Text {
	more := all - len(finders)
	some := Either(len(finders) == 0, "daily.found-some", "daily.found-by")
	finders = append(finders, If(more > 0, Say("daily.finders-more", "n", more))...)
	found := book.Say(Either(all == 0, "daily.found-none", some), "n", all, "players", phrase.And(finders))
	return Say("daily.solution", "kind", v.Title(), "moves", moves, "found", found)
}

// HintPiece points at the piece that makes a move.
func HintPiece(pos *rules.Position, m rules.Move) Text {
	v := pos.Variant()
	return Say("hint.piece", "piece", v.Noun(pos.Board()[m.From]), "square", v.Shape.Name(m.From))
}

// HintWhy tells why a move that was found is good, and the line that it leads to.
func HintWhy(now rules.Game, found engine.Result, why computer.Reason) Text {
	line := now.Position.Line(computer.Told(now.Position, found.Moves, why.Moves))
	leads := Say("hint.line", "line", phrase.Commas(line), "standing", Either(found.Score.Mate < 0, "mated", standingOf(found.Score)))
	if found.Score.Mate > 0 {
		leads = Say("hint.mates", "move", line[0], "n", found.Score.Mate)
	}
	return Join(" ", Why(now.Position, why), leads)
}

// Why tells why a move is good; nothing where there is no reason.
func Why(before *rules.Position, why computer.Reason) Text {
	v, d := before.Variant(), why.Danger
	args := append(traded(before, why.Wins, why.For), "squares", phrase.And(phrase.Each(slices.Collect(why.Cut.Squares()), v.Shape.Name)),
		"piece", v.Noun(d.Piece), "square", v.Shape.Name(d.On), "attackers", d.Attackers, "defenders", d.Defenders,
		"by", Either(d.Attackers > d.Defenders, "more", "less"), "more", why.More, "move", why.Threat)
	cuts := If(why.Kind == "threatens" && why.More > 0 && why.Cut != 0, Say("hint.cuts", args...))
	return Join(" ", append(cuts, If(why.Kind != "", Say("hint."+why.Kind, args...))...)...)
}

// PlayedOut tells what the solution of a puzzle has won once it is played on.
func PlayedOut(from *rules.Position, won computer.Trade, pawns int) Text {
	switch {
	case won.Wins():
		return Say("hint.wins", traded(from, won.Took, won.Gave)...)
	case pawns > 0 && slices.ContainsFunc(from.Variant().Table, func(info rules.RoleInfo) bool { return info.Name == "pawn" }): // else nobody knows what a pawn is worth
		return Say("puzzle.worth", "n", pawns)
	}
	return nil
}

// Refuted tells which move refutes a wrong answer, and how the one who gave it stands then.
func Refuted(after *rules.Position, best engine.Line) Text {
	own := engine.Score{Centipawns: -best.Score.Centipawns, Mate: -best.Score.Mate}
	return Say("puzzle.refuted", "side", after.Turn(), "reply", after.Chat(best.Moves[0]), "standing", Either(own.Mate > 0, "winning", standingOf(own)))
}

// standingOf puts a score into words, for the side to move.
func standingOf(s engine.Score) string {
	const clear, slight = 300, computer.Edge // centipawns
	switch c := s.Centipawns; {
	case s.Mate < 0, s.Mate == 0 && c <= -clear:
		return "losing"
	case c <= -slight:
		return "worse"
	case c < slight:
		return "even"
	case c < clear:
		return "better"
	default:
		return "winning"
	}
}

// Daily puts a title above what is said of the puzzle of the day.
func Daily(v *rules.Variant, said Text) Text {
	return Of(Say("daily.title", "kind", v.Title()), "\n", said)
}

// legendOf is a lesson about marks, nil if there are none.
func legendOf(name phrase.Phrase, signs []diagram.Sign) []diagram.Lesson {
	return If(signs != nil, diagram.Lesson{Name: name, Signs: signs})
}

// NewPieces explains the kinds of pieces that appear on the board for the first time in a game.
func NewPieces(s *match.GameView) []diagram.Lesson {
	return phrase.Each(s.New, func(p rules.Piece) diagram.Lesson {
		return entryOn(s.Variant, p, book.Say("lesson.new", "piece", Lettered(s.Variant, p)))
	})
}

// Card is the legend below a piece's card.
func Card(v *rules.Variant, p rules.Piece, w analysis.Power) []diagram.Lesson {
	e := entryOn(v, p, book.Say("lesson.piece", "piece", Lettered(v, p)))
	add := func(seen bool, kind diagram.MarkKind, part rules.Piece, means phrase.Phrase) {
		if seen {
			e.Signs = append(e.Signs, diagram.Sign{Mark: diagram.Mark{Kind: kind, From: w.From, To: w.From, Piece: part}, Means: means})
		}
	}
	none, first, both := rules.Piece{}, w.Parts[0], w.All.Goes&w.All.Takes
	switch {
	case both|w.From.Set() == v.Shape.Squares:
		add(true, diagram.Goes, first.Piece, book.Say("lesson.anywhere"))
	case len(w.Parts) == 1:
		add(w.All.Goes&^w.All.Takes != 0, diagram.Goes, first.Piece, book.Say("lesson.goes"))
		add(both != 0, diagram.Takes, first.Piece, book.Say("lesson.goes-takes"))
		add(w.All.Takes&^w.All.Goes != 0, diagram.Takes, none, book.Say("lesson.takes"))
	default:
		for _, part := range w.Parts {
			means := book.Say(Either(p.Shared(), "lesson.half", "lesson.part"), "side", diagram.SideOf(part.Piece), "piece", v.Noun(part.Piece))
			add(true, diagram.Goes, part.Piece, means)
		}
		takes := Either(first.Goes&first.Takes != 0, first.Piece, none)
		add(w.All.Takes != 0, diagram.Takes, takes, book.Say(Either(both != 0, "lesson.goes-takes", "lesson.takes")))
	}
	add(w.All.Shoots&^w.All.Takes != 0, diagram.Ranged, none, book.Say("lesson.shoots"))
	add(w.Lends != 0, diagram.Lent, none, book.Say("lesson.lends"))
	return []diagram.Lesson{e}
}

// Legend says what the signs on one of several boards of a game mean: on the one that has most of them.
func Legend(v *rules.Variant, boards ...diagram.Diagram) (most []diagram.Lesson) {
	signs := 0
	for _, d := range boards {
		legend, n := append(LevelLegend(v, d.Board), ZoneLegend(d)...), 0
		for _, l := range legend {
			n += len(l.Signs)
		}
		if n > signs {
			most, signs = legend, n
		}
	}
	return most
}

// ZoneLegend says what the marks of zones on a board mean; nothing where there are none.
func ZoneLegend(d diagram.Diagram) []diagram.Lesson {
	var zones, badges []diagram.Sign
	var sides [2]bool
	for _, m := range d.Marks {
		m.Piece = d.LentBy(m) // the legend may stay below a later position
		if side := diagram.SideOf(m.Piece); m.Kind == diagram.Lent && !sides[side] {
			sides[side] = true
			zones = append(zones, diagram.Sign{Mark: m, Means: book.Say("lesson.zone", "side", side)})
		}
		if badges == nil && d.Lends(m) {
			badges = []diagram.Sign{{Mark: m, Piece: d.Board[m.To], Means: book.Say("lesson.borrows")}}
		}
	}
	return legendOf(book.Say("lesson.zones"), append(zones, badges...))
}

// LevelLegend says what the bars and fuses of pieces on a board mean; nothing where there are none.
func LevelLegend(v *rules.Variant, board rules.Board) []diagram.Lesson {
	var signs []diagram.Sign
	for level, means := range []phrase.Phrase{2: book.Say("lesson.stealth"), 3: book.Say("lesson.bomber")} {
		i := slices.IndexFunc(board[:], func(p rules.Piece) bool { return !means.IsZero() && !p.Shared() && levelOf(v, p) == level })
		if i >= 0 {
			signs = append(signs, diagram.Sign{Piece: board[i], Means: means})
		}
	}
	return legendOf(book.Say("lesson.levels"), signs)
}

// levelOf is the most times that a piece has the same part.
func levelOf(v *rules.Variant, p rules.Piece) (most int) {
	times := map[rules.Role]int{}
	for _, part := range v.Table.Simple(p.White | p.Black) {
		times[part]++
		most = max(most, times[part])
	}
	return most
}

// entryOn explains a kind of piece.
func entryOn(v *rules.Variant, p rules.Piece, name phrase.Phrase) diagram.Lesson {
	line := v.What(p)
	if !p.Shared() {
		line = v.Table[p.White|p.Black].Does.With("piece", v.Noun(p))
	}
	return diagram.Lesson{Piece: p, Name: name, Line: line}
}

// Lettered is the noun of a piece, with its letters unless they are its name.
func Lettered(v *rules.Variant, p rules.Piece) phrase.Phrase {
	noun, code := v.Noun(p), v.Table.Code(p)
	return Either(p.Shared() || noun.String() == code, noun, rules.Book().Say("piece-called", "piece", noun, "letters", code))
}

// few is the most pieces attacked without gain that are named.
const few = 4

// FindThreats finds the threats to the pieces in a position, and sets those that would win nothing apart as Vain. In
// check it does not weigh them, as only the check matters then.
func FindThreats(pos *rules.Position) analysis.Threats {
	found := analysis.Find(pos)
	found.Weighed = pos.Checkers() == 0
	all, hanging := found.Pieces, computer.Threatened(pos)
	found.Pieces, found.Attacked, found.Ranged = nil, 0, 0 // squares without a piece would hide the rest
	for _, t := range all {
		if found.Weighed && !slices.ContainsFunc(hanging, func(d computer.Danger) bool { return d.On == t.On }) {
			found.Vain = append(found.Vain, t)
			continue
		}
		found.Pieces, found.Attacked = append(found.Pieces, t), found.Attacked|t.On.Set()
	}
	return found
}

// Threats tells what threatens the side to move in a game, and by what.
func Threats(s *match.GameView, found analysis.Threats) Text {
	lines, _ := Attacked(s.Now.Position, found)
	return Say("threats.told", "game", Hash(s.Game.ID), "side", found.Mover.Other(), "threats", Lines(lines))
}

// Attacked tells which pieces of the side to move are threatened, and what either side could annihilate: in lines, the
// worst first, each with the sign on the board that it explains, which is zero for none.
func Attacked(pos *rules.Position, found analysis.Threats) (lines []Text, signs []diagram.Sign) {
	board := pos.Board()
	add := func(line Text, sign diagram.Sign) { lines, signs = append(lines, line), append(signs, sign) }
	if len(found.Blasts) > 0 {
		add(Say("threats.doomed", "pieces", threatened(pos, found.Blasts)), doomedSign(board, found.Blasts))
	}
	switch {
	case len(found.Pieces) > 0:
		add(Say(Either(found.Weighed, "threats.hanging", "threats.attacked"), "pieces", threatened(pos, found.Pieces)), attackedSign(board, found))
	case len(found.Vain) > 0:
		add(Say("threats.safe", "side", found.Mover), diagram.Sign{})
	default:
		add(Say("threats.none", "side", found.Mover), diagram.Sign{})
	}
	if n := len(found.Vain); n > few {
		add(Say("threats.vain-many", "n", n), vainSign(board, found))
	} else if n > 0 {
		add(Say("threats.vain", "pieces", threatened(pos, found.Vain)), vainSign(board, found))
	}
	if len(found.Chances) > 0 {
		add(Say("threats.chances", "side", found.Mover, "pieces", threatened(pos, found.Chances)), doomedSign(board, found.Chances))
	}
	return lines, signs
}

// attackedSign explains the mark on pieces that can be taken, vainSign that on those whose capture gains nothing, and
// doomedSign that on those which could be annihilated.
func attackedSign(board rules.Board, found analysis.Threats) diagram.Sign {
	return signOn(diagram.Attacks, board[found.Pieces[0].On], book.Say(Either(found.Weighed, "lesson.hanging", "lesson.attacked-piece")))
}

func vainSign(board rules.Board, found analysis.Threats) diagram.Sign {
	return signOn(diagram.Vain, board[found.Vain[0].On], book.Say("lesson.vain"))
}

func doomedSign(board rules.Board, doomed []analysis.Threat) diagram.Sign {
	return signOn(diagram.Doomed, board[doomed[0].On], book.Say("lesson.doomed"))
}

func signOn(kind diagram.MarkKind, piece rules.Piece, means phrase.Phrase) diagram.Sign {
	return diagram.Sign{Mark: diagram.Mark{Kind: kind}, Piece: piece, Means: means}
}

// threatened lists pieces by those that threaten them, "rook d4, pawn e4 (by bishop g7, knight e6)".
func threatened(pos *rules.Position, all []analysis.Threat) phrase.List {
	v, board := pos.Variant(), pos.Board()
	on := func(sq rules.Square) phrase.Phrase {
		return book.Say("threats.piece", "piece", v.Noun(board[sq]), "square", v.Shape.Name(sq))
	}
	pieces := map[rules.Set][]phrase.Phrase{}
	var attackers []rules.Set
	for _, threat := range all {
		attackers = append(attackers, If(pieces[threat.By] == nil, threat.By)...)
		pieces[threat.By] = append(pieces[threat.By], on(threat.On))
	}
	var items []phrase.Phrase
	for _, set := range attackers {
		by := phrase.Each(v.Shape.ByFile(set), on)
		items = append(items, book.Say("threats.by", "pieces", phrase.Commas(pieces[set]), "by", phrase.Commas(by)))
	}
	return phrase.Semicolons(items)
}

// ThreatLegend says what the marks of a board with threats mean.
func ThreatLegend(board rules.Board, found analysis.Threats) []diagram.Lesson {
	var signs []diagram.Sign
	add := func(sign diagram.Sign) { signs = append(signs, sign) }
	var pieces rules.Set
	for _, threat := range found.Pieces {
		pieces |= threat.On.Set()
	}
	if len(found.Pieces) > 0 {
		add(attackedSign(board, found))
	}
	if len(found.Vain) > 0 {
		add(vainSign(board, found))
	}
	if empty := found.Attacked &^ found.Ranged &^ pieces; empty != 0 {
		add(signOn(diagram.Attacks, board[empty.First()&63], book.Say("lesson.attacked")))
	}
	if empty := found.Ranged &^ pieces; empty != 0 {
		add(signOn(diagram.Ranged, board[empty.First()&63], book.Say("lesson.ranged")))
	}
	if doomed := slices.Concat(found.Blasts, found.Chances); len(doomed) > 0 {
		add(doomedSign(board, doomed))
	}
	return legendOf(book.Say("lesson.threats", "side", found.Mover.Other()), signs)
}
