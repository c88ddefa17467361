package computer

import (
	"cmp"
	"context"
	"slices"

	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/engine"
)

// Reason is why a move is good.
type Reason struct {
	// Kind is "" for no reason, or what the move does:
	//   - "cuts" takes the squares Cut from the king
	//   - "wins" or "loses" the pieces Wins, in return for For, after Moves
	//   - "recaptures" Wins, for no more than the move before took
	//   - "comes-out" ahead by Wins after capturing others first
	//   - "takes" Wins
	//   - "saves", "attacks" or "trades" the piece of Danger
	//   - "castles"
	//   - "threatens" Threat, which wins Wins or mates in More moves; it may also take Cut from the king
	//   - "brings-out" the piece of Danger
	//   - "centers" a piece on Cut, and may free that of Danger, as below
	//   - "frees" the piece of Danger, which can go to More squares more
	Kind      string
	Cut       rules.Set
	Wins, For []rules.Piece // mostly one piece, and none
	Danger    Danger
	Threat    string
	Moves     int // after which Wins are won or lost
	More      int // in "trades", the pawns by which its side is ahead, or 0
}

// Shown is the least number of moves of a line that a hint shows: people would hardly believe a longer one.
const Shown = 4

// believed is the number of moves within which a gain counts as the reason for the first of them.
const believed = 5

// Told is the part of a line that a hint shows: n moves or Shown, and more while they capture or give check.
func Told(pos *rules.Position, line []rules.Move, n int) []rules.Move {
	for i, m := range line {
		next, err := pos.Play(m)
		if err != nil || i+1 >= max(Shown, n) && next.Checkers() == 0 && balance(pos, rules.White) == balance(next, rules.White) {
			return line[:i+1]
		}
		pos = next
	}
	return line
}

// Why is the reason for a move that was found, given what the move before did. If it does nothing else, advise is asked
// what it threatens, as in [Threat].
func Why(ctx context.Context, now rules.Game, last []rules.Effect, found engine.Result, advise func(context.Context, rules.Game) (engine.Result, error)) Reason {
	pos := now.Position
	after, err := pos.Play(found.Move())
	switch {
	case err != nil:
		return Reason{}
	case found.Score.Mate != 0: // nothing else matters then
		if view := analysis.Passed(pos); view != nil && found.Score.Mate > 1 && flights(view)&^flights(after) != 0 {
			return Reason{Kind: "cuts", Cut: flights(view) &^ flights(after)}
		}
		return Reason{}
	}
	c := choice{pos: pos, after: after, move: found.Move(), full: found.Moves, takes: wins(pos, found.Move())}
	c.answered = len(c.full) > 1 && removesOn(after, c.full[1], c.move.To)
	c.judge(found.Score)
	for _, reason := range []func() Reason{c.saves, func() Reason { return c.exchanges(last) }, c.attacks, func() Reason { return c.does(ctx, advise) }} {
		if why := reason(); why.Kind != "" {
			return why
		}
	}
	return Reason{}
}

// choice is a move that was found, and what is known of it.
type choice struct {
	pos, after *rules.Position
	move       rules.Move
	full, line []rules.Move    // what follows, it first, and as much of that as people see
	met        *rules.Position // after the first answer; nil if there is none
	won, seen  Trade           // what it wins, if people believe it, and what they see
	had, score int             // in pawns by the pieces before it, and in centipawns by the search
	takes      int             // what it captures itself
	answered   bool            // by a recapture
}

// judge finds out what the move wins by its score.
func (c *choice) judge(score engine.Score) {
	c.won = settle(c.pos, head(c.full), 0)
	if c.won.Moves > believed && (c.takes > 0 || c.after.Checkers() != 0) {
		if soon := settle(c.pos, c.full[:believed], 0); soon.Net <= c.won.Net { // the rest takes nothing of it back
			c.won = soon
		}
	}
	if !c.won.Wins() || c.won.Moves > believed {
		c.won = Trade{}
	}
	c.line = Told(c.pos, c.full, c.won.Moves)
	if c.seen = settle(c.pos, c.line, neither); c.seen.Net < c.won.Net {
		c.won = c.seen
	}
	c.had, c.score = balance(c.pos, c.pos.Turn()), scoreOf(score, rules.White)
	if up := min(c.had+c.won.Net, 1); up >= 0 && c.score < Edge*(2*up-1) {
		c.won = Trade{} // the score does not bear it out
	}
	if len(c.line) > 1 {
		c.met, _ = c.after.Play(c.line[1])
	}
}

// saves is the reason if a piece was threatened and no longer is.
func (c *choice) saves() Reason {
	still := dangers(c.after)
	if c.after.Checkers() != 0 && c.met != nil { // a check only puts off what is threatened
		still = Threatened(c.met)
	}
	for _, d := range Threatened(c.pos) {
		same := func(s Danger) bool {
			return s.Piece == d.Piece && (s.On == d.On || c.move.From == d.On && s.On == c.move.To)
		}
		if own := worth(c.pos, d.Piece); own > c.won.Net && own+c.seen.Net >= 0 && !falls(c.pos, c.line, d.On) && !slices.ContainsFunc(still, same) {
			return Reason{Kind: "saves", Danger: d}
		}
	}
	return Reason{}
}

// exchanges is the reason if the move wins or loses something, given what the move before did.
func (c *choice) exchanges(last []rules.Effect) Reason {
	first := settle(c.pos, c.line[:1], neither).Took
	taken, lost := recaptured(c.pos, last, c.move)
	won, seen := c.won, c.seen
	switch {
	case won.Wins() && c.answered && len(first) > 0 && !slices.ContainsFunc(first, func(p rules.Piece) bool { return slices.Contains(won.Took, p) }):
		return Reason{Kind: "comes-out", Wins: won.Took, For: won.Gave, Moves: won.Moves}
	case won.Wins() && won.Net <= lost && slices.Contains(won.Took, taken[0]):
		return Reason{Kind: "recaptures", Wins: taken, Moves: won.Moves}
	case won.Wins():
		return Reason{Kind: "wins", Wins: won.Took, For: won.Gave, Moves: won.Moves}
	case !seen.Loses():
	case c.had+seen.Net < 0 && c.score > -Edge, settle(c.pos, c.full, neither).Net > seen.Net: // it is made up for
	case seen.Moves == len(c.line) && -seen.Net > c.takes: // otherwise the last capture, which does not count, may make up for it
		return Reason{Kind: "loses", Wins: seen.Gave, For: seen.Took, Moves: seen.Moves}
	}
	return Reason{}
}

// attacks is the reason if the move threatens a piece that was safe before, and gives nothing for it.
func (c *choice) attacks() Reason {
	if c.answered || c.seen.Net < 0 || c.takes > 0 {
		return Reason{}
	}
	was, left := dangers(c.pos), dangers(c.met)
	for _, d := range Threatened(c.after) {
		same := func(other Danger) bool { return other.On == d.On }
		if !slices.ContainsFunc(was, same) && (falls(c.after, c.line[1:], d.On) || !slices.ContainsFunc(left, same)) {
			return Reason{Kind: "attacks", Danger: d}
		}
	}
	return Reason{}
}

// does is what the move does besides.
func (c *choice) does(ctx context.Context, advise func(context.Context, rules.Game) (engine.Result, error)) Reason {
	mover := c.pos.Board()[c.move.From]
	next, own := analysis.Passed(c.after), worth(c.pos, mover)
	switch {
	case c.move.Act == rules.Castle:
		return Reason{Kind: "castles"}
	case c.answered && own > 0 && own == c.takes:
		return Reason{Kind: "trades", Danger: Danger{Piece: mover, On: c.move.From}, More: max(0, c.had)}
	case c.takes > 0:
		return Reason{Kind: "takes", Wins: settle(c.pos, c.line[:1], neither).Took}
	case next == nil || next.Status() != rules.Ongoing || c.answered:
		return Reason{}
	}
	if threat, by := Threat(ctx, c.pos, c.move, c.after, advise); threat.Kind != "" && (threat.More > 0 || !slices.Contains(c.full, by)) { // the line itself plays it otherwise, and wins nothing by it
		return threat
	}
	return improves(c.pos, next, c.move)
}

// recaptured is the piece that m takes because it has just taken some, and what those were worth, in pawns.
func recaptured(pos *rules.Position, last []rules.Effect, m rules.Move) (taken []rules.Piece, lost int) {
	for _, e := range last {
		if removes(e.Kind) && e.Piece.Half(pos.Turn()) != rules.NoRole && removesOn(pos, m, e.To) {
			taken, lost = []rules.Piece{pos.Board()[e.To]}, lost+worth(pos, e.Piece)
		}
	}
	return taken, lost
}

// improves is what a move to next does for its own side's pieces, if that side could move again.
func improves(pos, next *rules.Position, m rules.Move) Reason {
	free := Reason{Kind: "frees", More: 1}
	before, to := room(pos), room(next)
	before[m.To] += before[m.From] // of both parts, if they merge
	for on, n := range to {
		if n-before[on] > free.More {
			free.More, free.Danger = n-before[on], Danger{Piece: next.Board()[on], On: rules.Square(on)}
		}
	}
	v, moved := pos.Variant(), pos.Board()[m.From]
	start, _ := v.Position("") // it is the game's own
	alone := m.Act == rules.Step && worth(pos, moved) > 0
	middle := func(at, all int) bool { return at == (all-1)/2 || at == all/2 }
	switch {
	case alone && start.Board()[m.From] == moved && !v.Table[moved.White|moved.Black].Pawn:
		return Reason{Kind: "brings-out", Danger: Danger{Piece: moved}}
	case alone && middle(v.Shape.File(m.To), v.Shape.Files) && middle(v.Shape.Rank(m.To), v.Shape.Ranks):
		return Reason{Kind: "centers", Cut: m.To.Set(), Danger: free.Danger, More: free.More}
	case free.More > 1:
		return free
	}
	return Reason{}
}

// Threat is what a quiet move m from pos to after threatens, and by which move: the one that advise would have its side
// play next, if that wins something or mates. Cut is what m takes from the king.
func Threat(ctx context.Context, pos *rules.Position, m rules.Move, after *rules.Position, advise func(context.Context, rules.Game) (engine.Result, error)) (why Reason, by rules.Move) {
	view, next := analysis.Passed(pos), analysis.Passed(after)
	if view == nil || next == nil || wins(pos, m) > 0 || after.Checkers() != 0 || next.Status() != rules.Ongoing {
		return why, by
	}
	idea, err := advise(ctx, rules.NewGame(next))
	if err != nil {
		return why, by
	}
	if t := settle(next, head(idea.Moves), 0); t.Wins() || idea.Score.Mate > 0 {
		why = Reason{Kind: "threatens", Cut: flights(view) &^ flights(after), Threat: next.Chat(idea.Move()), Wins: t.Took, For: t.Gave, More: max(0, idea.Score.Mate)}
	}
	return why, idea.Move()
}

// Danger is a piece whose capture would win something for the other side. Attackers is how many pieces could capture
// it, Defenders how many could then recapture.
type Danger struct {
	Piece                rules.Piece
	On                   rules.Square
	Attackers, Defenders int
}

// Threatened are the dangers to the pieces of the side to move; nil if the position were illegal on the other's turn.
func Threatened(pos *rules.Position) []Danger { return dangers(analysis.Passed(pos)) }

// dangers are those to the pieces of the side not to move, the most valuable first; none if pos is nil.
func dangers(pos *rules.Position) (all []Danger) {
	if pos == nil {
		return nil
	}
	turn, board := pos.Turn(), pos.Board()
	froms, costs, again := map[rules.Square]rules.Set{}, map[rules.Square]int{}, map[rules.Square]rules.Set{}
	for _, m := range pos.Moves() {
		var back rules.Set // where the pieces stand that could recapture
		var cost int       // of the recapture, less what the capture wins
		for _, e := range pos.Effects(m) {
			if !removes(e.Kind) || e.Piece.Half(turn) != rules.NoRole {
				continue
			}
			if next, err := pos.Play(m); err == nil && cost == 0 {
				for _, reply := range next.Moves() {
					if removesOn(next, reply, m.To) {
						back, cost = back|reply.From.Set(), worth(pos, board[m.From])
					}
				}
				cost -= wins(pos, m)
			}
			if froms[e.To] == 0 || cost < costs[e.To] {
				costs[e.To], again[e.To] = cost, back
			}
			froms[e.To] |= m.From.Set()
		}
	}
	for on, by := range froms {
		d := Danger{board[on], on, by.Len(), again[on].Len()}
		if worth(pos, d.Piece) > 0 && (costs[on] < 0 || costs[on] == 0 && d.Attackers > d.Defenders) {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Danger) int {
		return cmp.Or(cmp.Compare(worth(pos, b.Piece), worth(pos, a.Piece)), cmp.Compare(a.On, b.On))
	})
	return all
}

// flights are the squares to which the king of the side to move can go.
func flights(pos *rules.Position) (to rules.Set) {
	board := pos.Board()
	for _, m := range pos.Moves() {
		if pos.Variant().Table[board[m.From].Half(pos.Turn())].Royal && m.Act == rules.Step {
			to |= m.To.Set()
		}
	}
	return to
}

// room is the number of squares to which each piece of the side to move can go, by the square where it stands.
func room(pos *rules.Position) (n [64]int) {
	var to [64]rules.Set
	for _, m := range pos.Moves() {
		to[m.From] |= m.To.Set()
		n[m.From] = to[m.From].Len()
	}
	return n
}
