package engine

import "chimera/rules"

// pick is a move to be tried: its index among the legal moves, and its score in move ordering.
type pick struct {
	score int32
	index uint16
	noisy bool
}

// Scores of moves, best first: the table's move, captures that gain, killer moves, quiet moves by
// the history heuristic, captures that lose.
const (
	scoreTable  = 1 << 30
	scoreNoisy  = 1 << 24
	scoreKiller = 1 << 22
	maxHistory  = 1 << 14
)

// order is what move ordering has learned while searching.
type order struct {
	noisies      [maxPly + 1][]pick
	quiets       [maxPly + 1][]pick
	killers      [maxPly + 2][2]rules.Move
	history      [2][64][64]int32  // by color, from and to
	continuation [1024][1024]int16 // by the previous move and the move, each by continuationOf
}

// continuationOf is the index of a move in the continuation history: the kind of piece that moves,
// folded to 16, and the square to which it goes.
func continuationOf(kind int, to rules.Square) uint16 { return uint16(kind&15)<<6 | uint16(to&63) }

// reset is called before another search.
func (o *order) reset() {
	clear(o.killers[:])
	o.history = [2][64][64]int32{}
	clear(o.continuation[:])
}

// resized is the list at that size, with its memory reused if large enough.
func resized(list *[]pick, size int) []pick {
	if cap(*list) < size {
		*list = make([]pick, 0, size+size/2)
	}
	return (*list)[:size]
}

// scan lists the moves at ply that may be noisy, and adds up what the moves and the pieces' places are worth: in check,
// that of the mover's last turn, since a check limits moves for one turn only. It avoids unpredictable branches.
func (s *search) scan(ply int, moves []rules.Move) []pick {
	v := &s.stack.frames[ply]
	us := v.setup.Turn & 1
	v.blasters, v.reach = s.stack.cursor.Blasters(), 0
	targets := v.sides[us^1] | v.setup.EnPassant.Set() // squares to which a move may be noisy
	var zone rules.Set                                 // the enemy king's square and those beside it
	if king := v.kings[us^1]; king != 0 {
		zone = s.stack.zone[king.First()&63]
	}
	noisies := resized(&s.order.noisies[ply], len(moves)+1)
	noisy := 0
	var tally [64]uint32 // by square: the moves from there and, times 1<<16, those near the king
	for i := range moves {
		m := &moves[i]
		tally[m.From&63] += 1 | uint32(zone>>(m.To&63)&1)<<16
		other := v.blasters >> (m.From & 63) & 1
		if m.Kills|rules.Set(m.Role) != 0 {
			other = 1
		}
		noisies[noisy].index = uint16(i) // overwritten by the next one if it is quiet
		noisy += int(targets>>(m.To&63)&1 | other)
	}
	sets := s.stack.standing(us, v.sides[us]&^v.pawns[us]&^v.kings[us], v.kings[us], &v.lanes)
	open, clear, held, safe, home := sets[0], sets[1], sets[2], sets[3], sets[4]
	for rest := v.sides[us]; rest != 0; rest = rest.Rest() {
		sq := rest.First() & 63
		kind := s.stack.kind(v.setup.Board[sq], us)
		worth := &s.stack.kinds[kind].worth
		where := open>>sq&1 | clear>>sq&1<<1 | held>>sq&1<<2 | safe>>sq&1<<3 | home>>sq&1<<4
		v.reach += worth[Mobility]*sum(tally[sq]&0xffff) + worth[Press]*sum(tally[sq]>>16) + s.stack.stand[kind][where]
	}
	if v.checked && ply >= 2 {
		v.reach = s.stack.frames[ply-2].reach
	}
	return noisies[:noisy]
}

// survey lists the noisy and the quiet moves at ply, scores the noisy ones, and adds up the mobility. Quiet moves are
// scored later, if they are tried at all.
func (s *search) survey(ply int, moves []rules.Move) picker {
	v := &s.stack.frames[ply]
	us := v.setup.Turn & 1
	found := s.scan(ply, moves)
	quiets := resized(&s.order.quiets[ply], len(moves))
	next, noisy, quiet := 0, 0, 0
	for i := range moves {
		if next < len(found) && int(found[next].index) == i {
			next++
			m := &moves[i]
			kind := s.stack.kind(v.setup.Board[m.From&63], us)
			if gain, ok := s.gain(v, m, kind, us^1, v.blasters.Has(m.From)); ok {
				found[noisy] = pick{s.rate(m, kind, gain), uint16(i), true}
				noisy++
				continue
			}
		}
		quiets[quiet] = pick{0, uint16(i), false}
		quiet++
	}
	return picker{noisy: found[:noisy], quiet: quiets[:quiet], first: noMove}
}

// rate is the score of the noisy move m by a piece of the kind from: most valuable victim first, then
// least valuable attacker; negative if m is likely to lose more than it gains.
func (s *search) rate(m *rules.Move, from, gain int) int32 {
	score := scoreNoisy + int32(gain)*16 - int32(s.stack.gain[from])/16
	if gain+40 < s.stack.gain[from] && s.stack.cursor.Guarded(*m) {
		score -= 2 * scoreNoisy
	}
	return score
}

// rateNoisy scores the moves that a survey has listed as noisy. It drops those that are quiet, are likely to lose more
// than they gain, or gain no more than need. It returns the highest gain among the last group, -infinite if there is
// none.
func (s *search) rateNoisy(ply int, moves []rules.Move, p *picker, need int) (most int) {
	v := &s.stack.frames[ply]
	us := v.setup.Turn & 1
	kept := p.noisy[:0]
	most = -infinite
	for _, c := range p.noisy {
		m := &moves[c.index]
		from := s.stack.kind(v.setup.Board[m.From&63], us)
		gain, ok := s.gain(v, m, from, us^1, v.blasters.Has(m.From))
		if !ok {
			continue
		}
		if gain <= need && int(c.index) != p.first {
			most = max(most, gain)
			continue
		}
		if score := s.rate(m, from, gain); score >= 0 {
			kept = append(kept, pick{score, c.index, true})
		}
	}
	p.noisy = kept
	return most
}

// gain is the gain of the move m of a piece of the kind from by capture and promotion, in centipawns, and whether it is
// noisy: captures, promotes or, for a blaster, blasts.
func (s *search) gain(v *frame, m *rules.Move, from int, them rules.Color, blaster bool) (int, bool) {
	worth := s.stack.gain
	gain, noisy := 0, false
	if p := v.setup.Board[m.To&63]; p != (rules.Piece{}) {
		if kind := s.stack.kind(p, them); s.stack.kinds[kind].is {
			gain, noisy = worth[kind], true
			switch {
			case s.stack.kinds[kind].royal:
				gain = royalGain
			case p.Shared():
				gain -= worth[s.stack.kind(p, them^1)]
			}
		}
	} else if m.To == v.setup.EnPassant && s.stack.kinds[from].pawn {
		gain, noisy = worth[from], true
	}
	if m.Kills != 0 {
		noisy = true
		for kills := m.Kills; kills != 0; kills = kills.Rest() {
			gain += worth[s.stack.kind(v.setup.Board[kills.First()&63], them)]
		}
	}
	if m.Act == rules.Step && m.Role != rules.NoRole {
		gain, noisy = gain+worth[m.Role]-worth[from], true
	}
	if blaster && s.stack.cursor.Blasts(*m) {
		gain, noisy = gain+blastGain, true
	}
	return gain, noisy
}

// The gain of taking a king, and the expected gain of a blast, in centipawns.
const (
	royalGain = 50_000
	blastGain = 300
)

// best brings the best of the picks from n on to place n.
func best(picks []pick, n int) {
	top := n
	for i := n + 1; i < len(picks); i++ {
		if picks[i].score > picks[top].score {
			top = i
		}
	}
	picks[n], picks[top] = picks[top], picks[n]
}

// picker hands out the moves of a node in stages, best first: the table's move, good noisy moves,
// quiet moves, and noisy moves that are likely to lose.
type picker struct {
	noisy, quiet         []pick
	noisyDone, quietDone int // how many of each have been handed out
	first                int // the index of the move that the table names
	stage                stage
	skipQuiets           bool // quiet moves are no longer worth trying
}

type stage uint8

const (
	tableMove stage = iota
	noisy
	scoring
	quiet
	badNoisy
)

// next is the next move; false if there is none.
func (s *search) next(ply int, p *picker, moves []rules.Move) (pick, bool) {
	switch p.stage {
	case tableMove:
		p.stage = noisy
		if found, ok := p.tableMove(); ok {
			return found, true
		}
		fallthrough
	case noisy:
		if p.noisyDone < len(p.noisy) {
			best(p.noisy, p.noisyDone)
			if found := p.noisy[p.noisyDone]; found.score >= 0 {
				p.noisyDone++
				return found, true
			}
		}
		p.stage = scoring
		fallthrough
	case scoring:
		if !p.skipQuiets && p.quietDone < len(p.quiet) {
			s.rateQuiet(ply, moves, p.quiet[p.quietDone:])
		}
		p.stage = quiet
		fallthrough
	case quiet:
		if !p.skipQuiets && p.quietDone < len(p.quiet) {
			best(p.quiet, p.quietDone)
			p.quietDone++
			return p.quiet[p.quietDone-1], true
		}
		p.stage = badNoisy
		fallthrough
	default:
		if p.noisyDone < len(p.noisy) {
			best(p.noisy, p.noisyDone)
			p.noisyDone++
			return p.noisy[p.noisyDone-1], true
		}
	}
	return pick{}, false
}

// tableMove is the table's move, if it is among the picks.
func (p *picker) tableMove() (pick, bool) {
	if p.first == noMove {
		return pick{}, false
	}
	if toFront(p.noisy, p.first) {
		p.noisyDone = 1
		return p.noisy[0], true
	}
	if toFront(p.quiet, p.first) {
		p.quietDone = 1
		p.quiet[0].score = scoreTable
		return p.quiet[0], true
	}
	return pick{}, false
}

// toFront brings the pick of a move to the front, and reports whether there is one.
func toFront(picks []pick, move int) bool {
	for i := range picks {
		if int(picks[i].index) == move {
			picks[0], picks[i] = picks[i], picks[0]
			return true
		}
	}
	return false
}

// rateQuiet scores quiet moves: killer moves first, then by history, continuation history and how much better the piece
// stands, which orders moves before there is any history.
func (s *search) rateQuiet(ply int, moves []rules.Move, picks []pick) {
	v := &s.stack.frames[ply]
	us := v.setup.Turn & 1
	history := &s.order.history[us]
	killers := &s.order.killers[ply]
	before := s.lastMoves(ply)
	after, long := &s.order.continuation[before[0]&1023], &s.order.continuation[before[1]&1023]
	last, kind, places := rules.NoSquare, 0, s.stack.board[us]
	for i := range picks {
		m := &moves[picks[i].index]
		score := history[m.From&63][m.To&63]
		if m.From != last {
			last, kind = m.From, s.stack.kind(v.setup.Board[m.From&63], us)
		}
		as := continuationOf(kind, m.To) & 1023
		better := places[kind<<6|int(m.To&63)] - places[kind<<6|int(m.From&63)]
		score += int32(after[as]) + int32(long[as]) + int32(better.opening()+better.ending())
		for k := range killers {
			if m.From == killers[k].From && m.To == killers[k].To && *m == killers[k] {
				score = scoreKiller - int32(k)
			}
		}
		picks[i].score = score
	}
}

// reward notes that the quiet move m caused a cutoff, and that the quiet moves tried before it did not.
func (s *search) reward(ply, depth int, m rules.Move, moves []rules.Move, tried []pick) {
	if killers := &s.order.killers[ply]; killers[0] != m {
		killers[0], killers[1] = m, killers[0]
	}
	bonus := int32(min(200*depth+16*depth*depth-100, 1800))
	s.credit(ply, &m, bonus)
	for _, p := range tried {
		s.credit(ply, &moves[p.index], -bonus)
	}
}

func (s *search) credit(ply int, m *rules.Move, bonus int32) {
	v := &s.stack.frames[ply]
	us := v.setup.Turn & 1
	size := max(bonus, -bonus)
	h := &s.order.history[us][m.From&63][m.To&63]
	*h += bonus - *h*size/maxHistory
	as := continuationOf(s.stack.kind(v.setup.Board[m.From&63], us), m.To) & 1023
	for _, before := range s.lastMoves(ply) {
		f := &s.order.continuation[before&1023][as]
		*f += int16(bonus - int32(*f)*size/maxHistory)
	}
}

// lastMoves are the last two moves on the way to ply, each by continuationOf.
func (s *search) lastMoves(ply int) [2]uint16 {
	return [2]uint16{s.stack.frames[ply].moved, s.stack.frames[max(ply-1, 0)].moved}
}
