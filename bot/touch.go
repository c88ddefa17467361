package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// BoardOptions are what somebody wants to see of a game.
type BoardOptions struct {
	Ply     int      // how many moves were played, or [match.Latest]
	Flip    bool     // from the other side
	Zones   bool     // the squares to which pieces lend their powers
	Threats bool     // what the opponent of the side to move threatens
	Line    []string // moves to try from there; nil to try none
	Ahead   []string // moves of that line that were stepped back over
	Bare    bool     // the board alone, without judging the line
}

// Touched is a board that somebody can move pieces on.
type Touched struct {
	Note     message.Message // what chats show: words, the board, buttons
	Plan     render.Plan
	Legend   []diagram.Lesson // explanations of the board, instead of a legend below it
	Kind     string           // the key of its rules
	Notation phrase.Phrase    // the letters and signs of its moves, if they differ from chess
	Choices  []Choice         // what the person who sees it can play now, or try next
}

func (t *Touched) drawn() {
	t.Legend, t.Note.Board.Legend = t.Note.Board.Legend, nil
	if bars := t.Note.Board.Bars; bars != nil {
		bars.Result = "" // the title tells it, and all boards of a game have the same size
	}
	t.Plan = render.PlanOf(*t.Note.Board)
}

// BoardView is a game as somebody sees it who can touch its board.
type BoardView struct {
	Touched
	Title string // the kind of game and its number
	Names [2]string
	Turn
	Plays    bool    // the person who sees it is a player
	Part     int     // its division in a league, 0 for none
	Clocks   []Clock // of White and Black, while time is limited
	Over     bool
	Ply      int // shown here
	Last     int // of the game
	Revision uint64
	Does     []string         // what the move before did, as [Choice.Does]
	Check    bool             // the king of the player to move is attacked
	Happened words.Text       // the move before, and how the game stands: Note without its title
	Own      words.Text       // the player's own move, if the computer's answer followed at once
	Side     string           // of the person who sees it, white or black; "" if they do not play
	Ended    string           // the winner, "white" or "black", or "drawn"; "" for neither
	Review   *Reviewed        // nil if nobody has asked for one
	Again    []message.Button // that begin another game like it, and review it
	Fresh    []Beast          // made here for the first time by the person who sees it
	Useful   []message.Button // those under More
	Hinted   int              // how many hints were given since the last move
	Score    []Scored         // the moves of the game
	Zones    bool             // pieces lend their powers
	Threats  words.Text       // the threats in words, if they were asked for
	New      int              // how many pieces at the beginning of its legend are new since the last moves; 0 once it is over
	Signs    []diagram.Sign   // the marks that the lines of Threats explain; zero for no mark
	Thought  *Thought         // nil for people who cannot think ahead
	Position *rules.Position  // on the board
}

// Turn is who plays in a game, and whose turn it is.
type Turn struct {
	Players [2]storage.PersonID
	Mover   storage.PersonID // 0 if the game has ended
	Turning bool             // the board turns to them, where both sit at one screen
}

func turnOf(g *storage.Game) Turn { return Turn{g.Players, match.ToMove(g), g.Turning} }

// Clock is how much time a player has.
type Clock struct {
	Name string
	Due  time.Time // when it is up; zero if the clock is stopped
	Left string    // in words
}

// Scored is a move of a game.
type Scored struct {
	Number int  // of the full move
	Black  bool // who moved
	Text   string
	Ply    int    // after it
	Mark   string // how a review judges it: "?!", "?" or "??"; "" for nothing
}

// Choice is a legal move.
type Choice struct {
	Move  string   // as coordinate text
	Kind  string   // the mark of its target, as in [diagram.Diagram.ShowMoves]: kills, joins or parts, "" for a place to go
	Does  []string // kinds of [rules.Effect], each with its squares; nil if a piece moves and nothing else happens
	Text  string   // as chat text
	Tells string   // what it does, if its squares do not: others have the same ones, it captures on its way to an empty one, or it annihilates; else ""
}

// String is the choice in a line, for programs. It ends with the last part that is not empty.
func (c Choice) String() string {
	return strings.TrimRight(strings.Join([]string{c.Move, c.Kind, strings.Join(c.Does, ","), c.Text, c.Tells}, "|"), "|")
}

// BoardView shows a game to the author of a message. The messages say what was refused; to a
// [Stranger], a game that they may not see does not exist. If a move to try is refused, the moves
// before it are shown.
func (b *Bot) BoardView(ctx context.Context, m message.Incoming, id storage.GameID, options BoardOptions) (*BoardView, []message.Message, error) {
	var r Request
	view, err := b.Games.LoadBy(ctx, options.Ply, func(read storage.Reader) (storage.Game, error) {
		r, _ = askerOf(read, m) // people who were never met are strangers
		return match.ShownTo(read, r.by(), id)
	})
	if errors.Is(err, match.ErrNoPly) { // moves were taken back
		options.Ply, options.Line = match.Latest, options.Line[:0]
		return b.BoardView(ctx, m, id, options)
	}
	if err != nil {
		refused, err := b.finish(ctx, r, true, nil, err)
		return nil, replies(refused), err
	}
	s := &BoardView{
		Touched: Touched{Note: boardOf(view, onlooker{Alone: r.Me.ID}), Kind: view.Variant.Key, Notation: view.Variant.Notation}, Title: view.Variant.Title().Text(r.Language()) + " " + words.Hash(id), Names: view.Names,
		Turn: turnOf(&view.Game), Over: view.Game.Over(), Ply: view.Ply, Last: len(view.Game.Moves), Revision: view.Game.Revision, Hinted: view.Game.Hinted, Part: view.Game.Part,
		Does: does(view.Variant, view.Effects), New: words.Either(view.Game.Over(), 0, len(view.New)), Check: view.Now.Position.Checked() != 0,
	}
	_, s.Plays = view.Game.SideOf(r.Me.ID)
	if s.Mover == r.Me.ID && view.Game.Practice() && s.Ply == s.Last && s.Ply > 1 && !options.Threats {
		b.tellOwn(ctx, s, view, r)
	}
	if r.Me.ID == 0 {
		s.Note.Buttons = nil // strangers cannot use them
	}
	if s.Score, err = b.scored(view); err != nil {
		return nil, nil, err
	}
	if err = b.around(ctx, s, view, r, options.Line != nil); err != nil {
		return nil, nil, err
	}
	if s.Fresh, err = b.fresh(ctx, view, r.Me.ID, r.Language()); err != nil {
		return nil, nil, err
	}
	s.thinkAhead(view, r.Me.ID, options.Line != nil)
	line, faults := s.follow(view, options.Line)
	if s.Thought != nil && s.Over && !options.Bare {
		fault, err := b.judge(ctx, s, line, options.Ahead)
		if err != nil {
			return nil, nil, err
		}
		faults = cmp.Or(faults, fault)
	}
	refused, err := b.finish(ctx, r, true, nil, faults)
	if err != nil {
		return nil, nil, err
	}
	moves := r.Me.ID != 0 && !s.Over && s.Ply == s.Last && s.Mover == r.Me.ID && len(options.Line) == 0
	if moves || s.Thought != nil && options.Line != nil {
		s.Choices = choicesIn(r, line.now)
	}
	s.Position = line.now
	s.mark(line.now, options, r.alone())
	if s.Ply == s.Last && options.Line == nil {
		if s.Note.Text, err = b.withBanter(s.Note.Text, view); err != nil {
			return nil, nil, err
		}
	}
	s.Clocks = clocksOf(view, r)
	s.Threats = s.Threats.In(r.Language())
	s.Note.For(b.audience(r))
	s.Happened = s.Note.Text[slices.IndexFunc(s.Note.Text, func(part words.Span) bool { return part.Words == "\n" })+1:]
	s.drawn()
	return s, replies(refused), nil
}

// judge tells of a line that is tried in a game that has ended: its moves and those ahead, how good the last played one
// was, and how the line would best go on. A fault is for the visitor.
func (b *Bot) judge(ctx context.Context, s *BoardView, line tried, ahead []string) (fault, err error) {
	t, n := s.Thought, len(line.moves)
	all := slices.Clone(line.moves)
	for at := line.now; len(ahead) > 0; ahead = ahead[1:] {
		m, err := at.Parse(ahead[0])
		next, err2 := at.Play(m)
		if cmp.Or(err, err2) != nil {
			break
		}
		all, at = append(all, m), next
	}
	t.Moves = steps(line.from, all, 0)
	if n == 0 {
		return nil, nil
	}
	var best []rules.Move
	last := line.moves[n-1]
	t.White, t.Mark, best, err = b.Thinker.Judge(ctx, line.before, line.now, last)
	if t.Judged = err == nil; errors.Is(err, computer.ErrBusy) {
		return &wordedRefusal{Text: words.Say("hint.busy")}, nil
	}
	if s.Review != nil {
		best = s.Review.story.Best(line.now, best)
		if known := s.Review.story.Best(line.before, nil); len(known) > 0 && known[0] == last {
			t.Mark = "" // the review has thought longer
		}
	}
	t.Best = steps(line.from, append(line.moves, best[:min(4, len(best))]...), n)
	return nil, err
}

// tellOwn tells of the player's own last move, if it did more than go: the computer's answer has followed at once.
func (b *Bot) tellOwn(ctx context.Context, s *BoardView, view *match.GameView, r Request) {
	if own, err := b.Games.Load(ctx, view.Game.ID, s.Ply-1); err == nil && (len(own.Effects) != 1 || own.Effects[0].Kind != rules.Moved) { // other moves are seen in the score
		s.Own = words.Board(own, 0)[2:3].In(r.Language()) // without the title
		board := view.Now.Position.Board()
		own.New = slices.DeleteFunc(own.New, func(p rules.Piece) bool { return !slices.Contains(board[:], p) }) // it may have been captured
		s.Note.Board.Legend, s.New = append(words.NewPieces(own), s.Note.Board.Legend...), s.New+len(own.New)
	}
}

// replies are a message, if there is one.
func replies(said *message.Message) []message.Message {
	if said == nil {
		return nil
	}
	return []message.Message{*said}
}

// scored are the moves of a game with their numbers.
func (b *Bot) scored(view *match.GameView) (all []Scored, err error) {
	score, err := b.Games.Score(&view.Game)
	if err != nil {
		return nil, err
	}
	number, turn := 1, rules.White
	if view.Start != nil {
		number, turn = view.Start.FullMove(), view.Start.Turn()
	}
	for i, text := range score {
		all = append(all, Scored{Number: number, Black: turn == rules.Black, Text: text, Ply: i + 1})
		if turn == rules.Black {
			number++
		}
		turn = turn.Other()
	}
	return all, nil
}

// mark marks what options ask for on the board, and flips it.
func (s *BoardView) mark(pos *rules.Position, options BoardOptions, alone storage.PersonID) {
	said := &s.Note
	s.Zones = len(pos.Influences()) > 0
	if options.Threats && !s.Over && pos.Status() == rules.Ongoing {
		found := words.FindThreats(pos)
		d := said.Board.ShowThreats(found)
		for _, m := range said.Board.Marks { // what the last move did is told beside it
			if !slices.Contains(d.Marks, m) {
				d.Marks = append(d.Marks, m)
			}
		}
		lines, signs := words.Attacked(pos, found)
		if alarm := words.Alarm(said.View, alone); alarm != nil {
			lines, signs = slices.Insert(lines, 0, alarm), slices.Insert(signs, 0, diagram.Sign{})
		}
		said.Board, s.Threats, s.Signs = &d, words.Lines(lines), signs
	}
	if options.Zones {
		showZones(said, pos)
	}
	if options.Flip {
		said.Board.Bottom = said.Board.Bottom.Other()
	}
}

// clocksOf are both players' clocks.
func clocksOf(view *match.GameView, r Request) []Clock {
	g := &view.Game
	if g.Over() || g.Pace.Unlimited() {
		return nil
	}
	all := make([]Clock, len(g.Players))
	for side := range all {
		left := g.Pace.Move + g.Clock.Bank[side]
		if side == g.Turn {
			all[side].Due, left = view.Due, view.Left
		}
		all[side].Name, all[side].Left = view.Names[side], words.Length(left).Text(r.Language())
	}
	return all
}

// Explain tells what a piece of a game may do: the one on a square after ply moves, shown on the board,
// or one with a name, shown on its card.
func (b *Bot) Explain(ctx context.Context, m message.Incoming, id storage.GameID, ply int, piece string) []message.Message {
	r, _ := b.Asker(ctx, m)
	view, err := b.Games.LoadFor(ctx, r.by(), id, ply)
	sq := rules.NoSquare
	if err == nil {
		sq = view.Variant.Shape.Parse(strings.ToLower(piece))
	}
	if sq == rules.NoSquare {
		m.Text, m.ReplyTo = "how "+piece, id
		told, _ := b.Handle(ctx, m) // an error has its message
		return told
	}
	said := howSquare(r, view, sq)
	said.For(b.audience(r))
	return replies(said)
}

// Turn is whose turn it is in a game, nobody's if there is no such game.
func (b *Bot) Turn(ctx context.Context, id storage.GameID) (Turn, error) {
	g, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Find(id) })
	return turnOf(&g), err
}

// Revision counts how often a game was stored. It refuses games that the author of the message may not
// see.
func (b *Bot) Revision(ctx context.Context, m message.Incoming, id storage.GameID) (uint64, error) {
	asker, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(r storage.Reader) (uint64, error) {
		g, err := match.ShownTo(r, asker.by(), id)
		return g.Revision, err
	})
}

// choicesIn are the legal moves of a position.
func choicesIn(r Request, pos *rules.Position) []Choice {
	v, moves, texts := pos.Variant(), pos.Moves(), pos.ChatTexts()
	marked := map[diagram.MarkKind]string{diagram.Target: "goes", diagram.Aimed: "kills", diagram.Merges: "joins", diagram.Splits: "parts"}
	kinds := map[[2]rules.Square]string{}
	d := diagram.Of(pos, nil, pos.Turn())
	var from rules.Set
	all := make([]Choice, len(moves))
	for i, m := range moves {
		if !from.Has(m.From) {
			from |= m.From.Set()
			for _, mark := range d.ShowMoves(m.From, moves).Marks {
				kind := marked[mark.Kind]
				if kind = words.Either(kind == "goes" && pos.Board()[mark.To] != rules.Piece{}, "kills", kind); kind != "" {
					kinds[[2]rules.Square{m.From, mark.To}] = kind
				}
			}
		}
		effects := pos.Effects(m)
		c := Choice{Move: v.Coordinate(m), Text: texts[i], Kind: cmp.Or(kinds[[2]rules.Square{m.From, m.To}], "kills"), Does: does(v, effects)}
		if c.Kind == "goes" || c.Kind == "parts" && m.Act == rules.Step && pos.Board()[m.To] == (rules.Piece{}) { // it can also split there
			c.Kind = ""
		}
		if slices.Equal(c.Does, []string{"moved " + v.Shape.Name(m.From) + " " + v.Shape.Name(m.To)}) {
			c.Does = nil
		}
		annihilates := slices.ContainsFunc(effects, func(e rules.Effect) bool { return e.Kind == rules.Annihilated })
		if annihilates || c.Kind == "" && m.Kills != 0 || slices.ContainsFunc(moves, func(o rules.Move) bool {
			return o != m && o.From == m.From && tapped(o) == tapped(m) && o.Kills&^tapped(m).Set() == m.Kills&^tapped(m).Set()
		}) {
			c.Tells = v.Describe(effects).Text(r.Language())
		}
		all[i] = c
	}
	return all
}

// tapped is the square to tap to make a move: where it ends or, if the piece stays, what it shoots.
func tapped(m rules.Move) rules.Square {
	return words.Either(m.From == m.To && m.Kills.Len() == 1, m.Kills.First(), m.To)
}

// does lists the effects of a move for programs that show it: "moved e2 e4", with the squares between
// if it turned there.
func does(v *rules.Variant, effects []rules.Effect) (all []string) {
	for _, e := range effects {
		squares := append([]string{e.Kind.String(), v.Shape.Name(e.From)}, phrase.Each(slices.Collect(e.Path.Squares()), v.Shape.Name)...)
		squares = append(squares, words.If(e.Path == "", v.Shape.Name(e.To))...)
		all = append(all, strings.Join(squares, " "))
	}
	return all
}

// Thought is a player thinking ahead while they wait: their conditional moves, and the line that they
// look at; or anybody trying a line in a game that has ended.
type Thought struct {
	From   int      // in a game that has ended, the ply from which moves are tried
	Line   []string // as chat text
	Moves  []Step   // likewise, in a game that has ended, and what is ahead of them
	Judged bool     // in a game that has ended: the line was judged
	White  int      // if judged, White's chances after the line, in per cent
	Mark   string   // the judgment of its last move: "?!", "?" or "??"; "" for none
	Best   []Step   // the best moves then; nil if not known
	Store  string   // the command that stores the line too; "" if it does not end with an answer
	Stored []Stored
}

// Stored is a line of conditional moves.
type Stored struct {
	Moves   []string // as chat text
	Without string   // the command that stores only the others
}

// thinkAhead lets a player think ahead while they wait for another person, as the computer moves at
// once; and lets people who are known try other moves in a game that has ended: instead of their mistake, or of mate.
func (s *BoardView) thinkAhead(view *match.GameView, me storage.PersonID, begun bool) {
	side, plays := view.Game.SideOf(me)
	if s.Over && me != 0 {
		mistake := s.Ply > 0 && s.Score[s.Ply-1].Mark != "" && (!plays || s.Score[s.Ply-1].Black == (side == storage.Black))
		instead := s.Ply > 0 && len(view.Now.Position.Moves()) == 0 || !begun && mistake
		s.Thought = &Thought{From: words.Either(instead, s.Ply-1, s.Ply)}
		return
	}
	if !plays || me == 0 || s.Mover == me || s.Ply != s.Last || view.Game.Practice() {
		return
	}
	s.Thought = &Thought{}
	lines := view.Game.Plans[side]
	for i, line := range lines {
		others := slices.Delete(slices.Clone(lines), i, i+1)
		moves, _ := view.Now.Position.ParseLine(line) // the legal ones
		s.Thought.Stored = append(s.Thought.Stored, Stored{view.Now.Position.Line(moves), planning(others)})
	}
}

// planning is the command that stores lines of conditional moves.
func planning(lines []storage.Line) string {
	pairs := func(line storage.Line) string {
		return strings.Join(phrase.Each(slices.Collect(slices.Chunk(line, 2)), func(pair storage.Line) string { return strings.Join(pair, " ") }), ", ")
	}
	return "if " + words.Either(len(lines) == 0, "clear", strings.Join(phrase.Each(lines, pairs), "; "))
}

// Step is a move of a line.
type Step struct {
	Text string   // with its number, if it is White's or the first
	Line []string // with all before it, as chat text
}

// steps are the moves of a line without the first n.
func steps(pos *rules.Position, line []rules.Move, n int) (all []Step) {
	texts := pos.Line(line)
	for i, m := range line[:len(texts)] {
		all = append(all, Step{words.Either(i == n || pos.Turn() == rules.White, words.Ply(pos, m), texts[i]), texts[:i+1]})
		pos, _ = pos.Play(m) // it is legal, or Line would have ended before
	}
	return all[min(n, len(all)):]
}

// tried is a line of moves that is tried on a board.
type tried struct {
	moves             []rules.Move
	from, before, now *rules.Position // where it begins, and before and after its last move
}

// follow plays a line up to its first illegal move.
func (s *BoardView) follow(view *match.GameView, texts []string) (line tried, fault error) {
	line.from, line.now = view.Now.Position, view.Now.Position
	last, seen := view.Effects, *view
	for i, text := range texts {
		m, err := line.now.Parse(text)
		next, err2 := line.now.Play(m)
		if err := cmp.Or(err, err2); err != nil {
			fault = &match.PlanFault{Text: text, Why: err, Theirs: s.Thought != nil && i%2 == 0}
			if s.Over {
				fault = &wordedRefusal{Text: words.TryFault(line.now.Turn(), err)}
			}
			break
		}
		line.moves, last = append(line.moves, m), line.now.Effects(m)
		line.before, line.now, seen.Taken = line.now, next, slices.Concat(seen.Taken, rules.Taken(last))
	}
	moves := storage.Line(phrase.Each(line.moves, view.Variant.Coordinate))
	if len(moves) > 0 {
		setPicture(&s.Note, &seen, diagram.Of(line.now, last, s.Note.Board.Bottom))
	}
	if t := s.Thought; t != nil {
		t.Line = line.from.Line(line.moves)
		if len(moves) > 0 && len(moves)%2 == 0 && !s.Over {
			kept := slices.DeleteFunc(slices.Clone(view.Game.Plans[1-view.Game.Turn]), func(l storage.Line) bool {
				return len(l) <= len(moves) && slices.Equal(l, moves[:len(l)]) // the line goes on from there
			})
			t.Store = planning(append(kept, moves))
		}
	}
	return line, fault
}
