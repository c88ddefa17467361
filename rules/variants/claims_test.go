package variants_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// claim is one sentence of a refusal, and what makes it true.
type claim struct {
	form  *regexp.Regexp
	fault func(w *witness, parts []string) string
}

// piecesOn is what names a piece of a game and its square, in any sentence.
func piecesOn(v *rules.Variant) *regexp.Regexp {
	names := []string{"knightmare"}
	for _, info := range v.Table[1:] {
		names = append(names, regexp.QuoteMeta(info.Noun.String()))
	}
	return form(`\b(?:[Tt]he|own) (` + strings.Join(names, "|") + `)(?: stands)? on (SQUARE)\b`)
}

// writtenAs: a piece has that letter, and what else is said is true of the text with it.
func (w *witness) writtenAs(s []string) string {
	table := w.pos.Variant().Table
	if role := table.Role(s[1]); table[role].Noun.String() != s[0] || table.Find(s[2]) != rules.NoRole {
		return "it is not"
	}
	if s[3] == "" {
		return unless(len(w.no.Meant) > 0, "nothing is asked")
	}
	rest, no := *w, *w.no
	no.Sentence = phrase.As(s[3])
	rest.no, rest.text = &no, strings.Replace(w.text, s[2], s[1], 1)
	return rest.examine()
}

// form makes a pattern in which FILE, RANK and SQUARE stand for the names of any.
func form(pattern string) *regexp.Regexp {
	return regexp.MustCompile(strings.NewReplacer(
		"FILE", "[a-w]", "RANK", "[1-9][0-9]?", "SQUARE", "[a-w][1-9][0-9]?",
	).Replace(pattern))
}

// of makes the pattern of a whole sentence: @ is a square, # a piece's name.
func of(sentence string, fault func(w *witness, parts []string) string) claim {
	pattern := regexp.QuoteMeta(sentence)
	for sign, class := range map[string]string{"@": `(SQUARE)`, "#": `([A-Za-z0-9]+(?:[- ][a-z]+)?)`, "…": `(.*)`} {
		pattern = strings.ReplaceAll(pattern, sign, class)
	}
	return claim{form("^" + pattern + "$"), fault}
}

// claims are all sentences that refuse a text, each with its proof. Pieces that are
// named with their squares are looked at beforehand.
func claims() []claim {
	return []claim{
		of("There is no square … on this board.", func(w *witness, s []string) string {
			return unless(w.sq(strings.ToLower(s[0])) == rules.NoSquare, "there is")
		}),
		of("Write a square after each *, as in B*e5.", func(w *witness, _ []string) string {
			bad := false
			for _, part := range strings.Split(w.text, "*")[1:] {
				bad = bad || w.sq(strings.ToLower(part)) == rules.NoSquare
			}
			return unless(bad, "there are squares")
		}),
		of("… isn't a piece of this game.", func(w *witness, s []string) string {
			return unless(w.pos.Variant().Table.Find(s[0]) == rules.NoRole, "it is one")
		}),
		{form(`^The ([a-z0-9 -]+) is written ([A-Z]+) here, not ([A-Za-z]+)\.(?: (.+))?$`), (*witness).writtenAs},
		of("You have no piece that can split like that.", func(w *witness, _ []string) string {
			return unless(!slices.ContainsFunc(w.pos.Moves(), func(m rules.Move) bool { return m.Act == rules.Split }), "one can split")
		}),
		{form(`^You have no (.+?)(?: on (?:the (FILE)-file|rank (RANK)|(FILE)(RANK)))?(?:: there is one in the .+)?\.$`), (*witness).missing},
		of("You have no legal path from @ to @.", never),
		of("From @ to @ isn't one step along a rank or file.", func(w *witness, s []string) string {
			files, ranks := w.apart(s[0], s[1])
			return unless(files+ranks != 1, "it is")
		}),
		{form(`^None of your (.+?)(?: on (?:the (FILE)-file|rank (RANK)))? can reach (SQUARE)\.$`), (*witness).noneReaches},
		of("Nothing stands on @: write ….", func(w *witness, s []string) string {
			return w.written(w.pos.Board()[w.sq(s[0])] == rules.Piece{}, s[1])
		}),
		{form(`^The piece on (SQUARE) is (?:an? )?(.+): write (\S+)\.$`), func(w *witness, s []string) string {
			return w.written(w.pos.Variant().Noun(w.pos.Board()[w.sq(s[0])]).String() == s[1], s[2])
		}},
		of("That move is legal, but not as written: write ….", func(w *witness, s []string) string { return w.written(true, s[0]) }),
		of("Name the square too, as in R~Bd4.", func(w *witness, _ []string) string {
			return unless(!regexp.MustCompile(`[A-Za-z][1-9]`).MatchString(w.text), "there is one")
		}),
		of("Write a shot with *.", func(w *witness, _ []string) string {
			for _, text := range w.no.Meant {
				if !strings.HasSuffix(strings.ToLower(w.text), text[strings.Index(text, "*")+1:]) {
					return text + " shoots at another square"
				}
			}
			return unless(len(w.no.Meant) > 0, "there is none")
		}),
		of("There is no piece on @.", (*witness).empty),
		of("The # on @ is your opponent's.", (*witness).theirs),
		of("The # on @ is your opponent's: you can merge only your own pieces.", (*witness).theirs),
		of("Your own # stands on @.", (*witness).ours),
		of("Your own # stands on @: write a merge with ~.", (*witness).ours),
		of("The # on @ already stands on @.", func(_ *witness, s []string) string { return unless(s[1] == s[2], "it doesn't") }),
		of("The # already stands on @.", (*witness).ours),

		// Castling.
		of("Your king can't castle from @.", func(w *witness, s []string) string {
			return unless(w.atKing(s[0]) && s[0] != w.home(), "it stands at home")
		}),
		of("You can't castle: your king isn't on @.", func(w *witness, s []string) string {
			return unless(!w.atKing(s[0]), "it is")
		}),
		of("There is no castling in this game.", func(w *witness, _ []string) string {
			return unless(w.pos.Variant().Shape.Files != 8, "there is")
		}),
		{form(`^You can't castle: (.+)\.$`), (*witness).castling},
		of("A king moves two squares only to castle.", never),

		// Ways.
		of("The # on @ can't reach @.", (*witness).unreachable),
		of("The # on @ can't move to @ now.", cannot(1)),
		of("The # on @ moves as a # for you and can't reach @.", func(w *witness, s []string) string {
			return w.unreachable([]string{s[0], s[1], s[3]})
		}),
		of("The # on @ takes exactly three steps along ranks and files.", never),
		of("The # on @ takes exactly three steps along ranks and files, so it can't end on @.", func(w *witness, s []string) string {
			files, ranks := w.apart(s[1], s[2])
			return unless((files+ranks)%2 == 0 || files+ranks > 3, "it can")
		}),
		of("The # on @ moves one square only: there is no double step in this game.", never),
		{form(`^The way (?:of the .+? )?from (SQUARE) to (SQUARE) is blocked by the .+ on (SQUARE)\.$`), (*witness).blocked},
		of("There is nothing for the # on @ to capture on @.", func(w *witness, s []string) string {
			return unless(!w.foe(s[2]) && !w.can(w.setup(), w.step(s[1], s[2])), "there is")
		}),
		of("Every way of three steps from @ to @ is blocked for the tank.", cannot(0)),

		// Promotion.
		of("On @ the pawn becomes a queen, rook, bishop or knight: say which, as in =Q.", (*witness).lastRank),
		of("On @ a pawn becomes a # and nothing else.", func(w *witness, s []string) string {
			for _, m := range w.pos.Moves() {
				if m.Role != rules.NoRole && m.To == w.sq(s[0]) && w.pos.Variant().Table[m.Role].Name != s[1] {
					return "it can become another"
				}
			}
			return w.lastRank(s)
		}),
		of("A pawn doesn't promote on @.", (*witness).noPromotion),
		of("The # on @ doesn't promote on @.", func(w *witness, s []string) string {
			if s[0] != "pawn" {
				return ""
			}
			return w.noPromotion(s[2:])
		}),
		of("The # on @ doesn't promote: nothing does in this game.", never),
		of("Only pawns promote, not the # on @.", func(_ *witness, s []string) string { return unless(s[0] != "pawn", "it is one") }),
		of("A captain never promotes.", never),
		of("A pawn that captures becomes what it captures, so on @ there is nothing to choose.", func(w *witness, s []string) string {
			return unless(w.foe(s[0]), "it captures nothing")
		}),

		// The king's safety.
		{form(`^Your king would be in check on (SQUARE) from the .+? on (SQUARE)(?:, which flies.*| \(moving as.*)?\.$`), checker(1)},
		{form(`^That leaves your king (?:on SQUARE )?in check from the .+? on (SQUARE)(?:, which flies.*| \(moving as.*)?\.$`), checker(0)},
		of("That split doesn't end the check from the # on @.", checker(1)),
		{form(`^You can't (?:merge|split) while in check from the .+ on (SQUARE)\.$`), func(w *witness, s []string) string {
			return unless(w.pos.Checked() != 0 && w.attacked(w.setup(), w.sq(s[0])), "it gives no check")
		}},
		of("Joining the # on @ doesn't end its check: as part of a knightmare it would attack your king on @.", checker(1)),
		of("On @ the knightmare's #, your opponent's part, would give check to your king on @.", checker(0)),
		{form(`^Your king can't cross (SQUARE) on a borrowed line: the .+? on (SQUARE)(?: \(moving as .*)? threatens it\.$`), func(w *witness, s []string) string {
			setup := w.setup()
			king := w.king(&setup.Board, setup.Turn)
			setup.Board[w.sq(s[0])], setup.Board[king] = setup.Board[king], rules.Piece{}
			return unless(w.attacked(setup, w.sq(s[1])), "it doesn't")
		}},
		of("That annihilates your own king: on @ the # on @ meets the # on @.", (*witness).annihilates),

		// Merging and splitting.
		of("Pieces neither merge nor split in this game.", (*witness).noJoins),
		of("Pieces neither merge nor split in this game: they lend each other their moves.", (*witness).noJoins),
		of("Your own pieces don't merge in this game.", (*witness).noJoins),
		of("Nothing splits in this game: a knightmare never comes apart.", (*witness).noJoins),
		of("The # on @ can't do that: in this game pieces join only by capturing the opponent's.", (*witness).noJoins),
		of("The # on @ can't merge with itself: name the square of another piece of yours.", never),
		of("The # on @ and the # on @ can't merge. Allowed pairs: R+B, R+N, B+N, Q+N (unmerged pieces only).", func(_ *witness, s []string) string {
			for _, pair := range []string{"rook bishop", "rook knight", "bishop knight", "queen knight"} {
				if pair == s[0]+" "+s[2] || pair == s[2]+" "+s[0] {
					return "they are one of the pairs"
				}
			}
			return ""
		}),
		of("The # on @ and the # on @ can't merge: neither can move to the other.", func(w *witness, s []string) string {
			return unless(!w.strikes(s[1], s[3]) && !w.strikes(s[3], s[1]), "one can")
		}),
		of("In this game a merge ends on one of the two pieces' squares. To merge on a third, play combine-free.", func(w *witness, _ []string) string {
			return unless(strings.Contains(w.text, "+"), "no such merge is written")
		}),
		of("The # on @ isn't a hybrid, so it can't split.", func(w *witness, s []string) string {
			return unless(!strings.Contains(s[0], "-"), "it is one")
		}),
		of("A part can only move to a neighbouring square, and @ isn't next to @.", func(w *witness, s []string) string {
			files, ranks := w.apart(s[0], s[1])
			return unless(max(files, ranks) != 1, "it is")
		}),
		of("A part needs an empty square, and the # stands on @.", func(w *witness, s []string) string {
			return unless(w.stands(s[0], w.sq(s[1])), "it doesn't")
		}),
		of("Say which part of the # leaves, as in ….", never),
		of("A # has no # in it.", func(_ *witness, s []string) string { return unless(!strings.Contains(s[0], s[1]), "it has") }),
		of("The # on @ is your own: capture an enemy piece to make a knightmare.", func(w *witness, s []string) string {
			return unless(w.mine(s[1]), "it isn't")
		}),
		of("@ has a knightmare already: you would capture it. Write ….", func(w *witness, s []string) string {
			return w.written(w.pos.Board()[w.sq(s[0])].Shared(), s[1])
		}),
		of("The # on @ is frozen until you have moved something else: it was formed or moved in the last turn.", func(w *witness, s []string) string {
			return unless(w.pos.Frozen().Has(w.sq(s[1])), "it isn't")
		}),

		// Borrowed moves.
		of("Write only the square where the move ends: what else is removed follows from the rules.", (*witness).named),
		of("The # on @ can't borrow from the # on @, which the # on @ isolates.", func(w *witness, s []string) string {
			setup, to := w.setup(), w.meant()[0].To
			for sq, piece := range setup.Board {
				if name := w.pos.Variant().Noun(piece).String(); name == s[4] && piece.Half(setup.Turn) == rules.NoRole {
					setup.Board[sq] = rules.Piece{}
				}
			}
			return unless(w.foe(s[5]) && w.mine(s[3]) && w.can(setup, rules.Move{From: w.sq(s[1]), To: to}), "it is no loan that the isolator prevents")
		}),
		of("The # on @ can't reach @: the # on @ lends its own move only, not what it borrows from the # on @.", func(w *witness, s []string) string {
			return unless(w.lend(s[4], s[1]) && w.lend(s[6], s[4]) && !w.can(w.setup(), w.step(s[1], s[2])), "one lends the other nothing, or it can")
		}),

		// Shots, raids and flights.
		of("Nothing shoots in this game: a piece captures where it lands.", (*witness).named),
		of("The # on @ must move or capture something.", never),
		of("There is nothing on @ to capture.", (*witness).empty),
		of("The # on @ is your own: you can't capture it.", func(w *witness, s []string) string { return unless(w.mine(s[1]), "it isn't") }),
		of("The king on @ is neither shot nor passed through: a piece must end its move there to take it.", never),
		of("Don't name @ as another capture: the move ends there.", never),
		of("The # on @ can't end on @ without capturing on the way: name each square where it captures after a *.", func(w *witness, s []string) string {
			m := w.step(s[1], s[2])
			setup := w.setup()
			return unless(w.can(setup, m) && !w.exactly(setup, m), "it can")
		}),
		of("The # on @ can't end on @ with exactly those captures.", func(w *witness, s []string) string {
			return unless(!slices.ContainsFunc(w.meant(), func(m rules.Move) bool {
				return m.From == w.sq(s[1]) && m.To == w.sq(s[2]) && w.exactly(w.setup(), m)
			}), "it can")
		}),
		of("The # on @ can't enter @: your own # stands there.", func(w *witness, s []string) string {
			return unless(w.mine(s[2]) && w.stands(s[3], w.sq(s[2])), "it doesn't")
		}),
		of("The # on @ can't pass through the king on @.", never),
		of("The # on @ has one shot a turn.", func(w *witness, _ []string) string {
			return unless(strings.Count(w.text, "*")+strings.Count(w.text, "x") > 1, "it is one")
		}),
		of("The # on @ has one shot a turn, so not both @ and @.", func(w *witness, s []string) string {
			return unless(w.foe(s[2]) && w.foe(s[3]), "there are not two to be shot")
		}),
		of("The # on @ can't take the king on @: artillery never does.", func(_ *witness, s []string) string {
			return unless(s[0] == "gun" || s[0] == "howitzer", "it is no artillery")
		}),
		of("Guns capture only by shooting (range 1–2): @ is out of range from @.", func(w *witness, s []string) string { return unless(!w.inRange(s[0], s[1], 1, 2), "it is in range") }),
		of("Howitzers capture only by shooting (range 3–4): @ is out of range from @.", func(w *witness, s []string) string { return unless(!w.inRange(s[0], s[1], 3, 4), "it is in range") }),
		of("The # on @ can shoot the # on @, but can't move there.", func(w *witness, s []string) string {
			shot := rules.Move{From: w.sq(s[1]), To: w.sq(s[1]), Kills: w.sq(s[3]).Set()}
			return unless(w.exactly(w.setup(), shot) && !w.exactly(w.setup(), w.step(s[1], s[3])), "it can't, or it can move there")
		}),
		of("@ is out of range for a shot from @: guns shoot 1–2 squares in the eight directions.", func(w *witness, s []string) string { return unless(!w.inRange(s[0], s[1], 1, 2), "it is in range") }),
		of("@ is out of range for a shot from @: planes shoot 1–2 squares in the eight directions.", func(w *witness, s []string) string { return unless(!w.inRange(s[0], s[1], 1, 2), "it is in range") }),
		of("@ is out of range for a shot from @: howitzers shoot 3–4 squares in the eight directions.", func(w *witness, s []string) string { return unless(!w.inRange(s[0], s[1], 3, 4), "it is in range") }),
		of("@ is out of range for a shot from @ and from @: guns shoot 1–2 squares in the eight directions.", func(w *witness, s []string) string {
			return unless(!w.inRange(s[0], s[1], 1, 2) && !w.inRange(s[0], s[2], 1, 2), "it is in range")
		}),
		of("The # on @ can't move and shoot in one turn.", func(_ *witness, s []string) string { return unless(s[0] == "howitzer", "it can") }),
		of("The # on @ captures only where it goes.", never),
		of("The plane on @ can't enter @: the # on @ covers it.", func(w *witness, s []string) string {
			least, most := 1, 2
			if s[2] == "howitzer" {
				least, most = 3, 4
			}
			return unless(w.foe(s[3]) && (s[2] == "howitzer" || s[2] == "gun") && w.inRange(s[1], s[3], least, most), "it doesn't")
		}),
		of("The plane on @ has no square from which to take on @: each is occupied or under fire.", cannot(0)),

		// Leaps and runs.
		of("A captain captures only diagonally, so the one on @ can't take the # on @.", func(w *witness, s []string) string {
			files, ranks := w.apart(s[0], s[2])
			return unless(w.stands("captain", w.sq(s[0])) && files+ranks == 1 && w.foe(s[2]), "it can, or stands elsewhere")
		}),
		of("A captain moves diagonally only to capture, and there is nothing on @.", (*witness).empty),
		of("The # on @ can't capture on the way to @: only bombers can.", (*witness).noRun),
		of("The # on @ can't capture on the way: only bombers can.", (*witness).noRun),
		of("There is nothing for the # to capture between @ and @.", func(w *witness, s []string) string {
			for sq := range w.between(s[1], s[2]).Squares() {
				if w.foe(w.pos.Variant().Shape.Name(sq)) {
					return "there is"
				}
			}
			return ""
		}),
		of("A run from @ to @ captures exactly …: write ….", func(w *witness, s []string) string {
			var set rules.Set
			for _, name := range strings.Split(s[3], "*")[1:] {
				set |= w.sq(name).Set()
			}
			m := w.step(s[0], s[1])
			m.Kills = set
			for sq := range w.between(s[0], s[1]).Squares() {
				if w.foe(w.pos.Variant().Shape.Name(sq)) != set.Has(sq) {
					return "others stand on the way"
				}
			}
			return unless(w.exactly(w.setup(), m), "it cannot be run")
		}),
		of("The # on @ can leap only one piece, and … stand on its way to @.", func(w *witness, s []string) string {
			n := 0
			for sq := range w.between(s[1], s[3]).Squares() {
				if w.pos.Board()[sq] != (rules.Piece{}) {
					n++
				}
			}
			return unless(n > 1 && !w.can(w.setup(), w.step(s[1], s[3])), "it can")
		}),
		of("A run ends on another square: name it before the first *.", (*witness).named),
		of("The # on @ captures only where it lands: it can't shoot.", (*witness).noRun),
	}
}

func never(*witness, []string) string { return "" }

func unless(ok bool, fault string) string {
	if ok {
		return ""
	}
	return fault
}

// written checks what a sentence says to write.
func (w *witness) written(fact bool, text string) string {
	if m, err := w.pos.Parse(text); err != nil || !slices.Contains(w.pos.Moves(), m) {
		return fmt.Sprintf("%s is not legal: %v", text, err)
	}
	return unless(fact, "what it says of the square is false")
}

func (w *witness) mine(sq string) bool {
	return w.pos.Board()[w.sq(sq)].Half(w.pos.Turn()) != rules.NoRole
}

func (w *witness) foe(sq string) bool {
	return w.pos.Board()[w.sq(sq)].Half(w.pos.Turn().Other()) != rules.NoRole
}

// checker: the piece on the square that is part n of the sentence gives check.
func checker(n int) func(*witness, []string) string {
	return func(w *witness, s []string) string { return unless(w.checks(w.sq(s[n])), "it gives no check") }
}

// cannot: nothing goes from the square that is part n to the next.
func cannot(n int) func(*witness, []string) string {
	return func(w *witness, s []string) string { return unless(!w.can(w.setup(), w.step(s[n], s[n+1])), "it can") }
}

func (w *witness) ours(s []string) string {
	return unless(w.stands(s[0], w.sq(s[1])) && w.mine(s[1]), "it doesn't")
}

func (w *witness) empty(s []string) string {
	return unless(w.pos.Board()[w.sq(s[0])] == rules.Piece{}, "there is one")
}

func (w *witness) theirs(s []string) string { return unless(w.foe(s[1]) && !w.mine(s[1]), "it isn't") }

func (w *witness) step(from, to string) rules.Move { return rules.Move{From: w.sq(from), To: w.sq(to)} }

// apart is how many files and ranks lie from one square to another.
func (w *witness) apart(a, b string) (files, ranks int) {
	shape := w.pos.Variant().Shape
	files, ranks = shape.File(w.sq(a))-shape.File(w.sq(b)), shape.Rank(w.sq(a))-shape.Rank(w.sq(b))
	return max(files, -files), max(ranks, -ranks)
}

// inRange reports whether two squares are so far from each other on one of the eight lines.
func (w *witness) inRange(a, b string, least, most int) bool {
	files, ranks := w.apart(a, b)
	far := max(files, ranks)
	return (files == 0 || ranks == 0 || files == ranks) && far >= least && far <= most
}

// between are the squares between two on one line.
func (w *witness) between(a, b string) rules.Set {
	files, ranks := w.apart(a, b)
	n := max(files, ranks)
	if files != 0 && ranks != 0 && files != ranks || n == 0 {
		return 0
	}
	shape, from, to := w.pos.Variant().Shape, w.sq(a), w.sq(b)
	right, up := (shape.File(to)-shape.File(from))/n, (shape.Rank(to)-shape.Rank(from))/n
	var set rules.Set
	for i := 1; i < n; i++ {
		set |= shape.Offset(from, i*right, i*up).Set()
	}
	return set
}

func (w *witness) atKing(sq string) bool {
	board := w.pos.Board()
	return w.king(&board, w.pos.Turn()) == w.sq(sq)
}

// home is where the mover's king may castle.
func (w *witness) home() string { return [...]string{"e1", "e8"}[w.pos.Turn()] }

// missing: no piece of that name stands where none is said to stand.
func (w *witness) missing(s []string) string {
	v, board := w.pos.Variant(), w.pos.Board()
	file, rank := s[1]+s[3], s[2]+s[4]
	for sq := range v.Shape.Squares.Squares() {
		half, at := board[sq].Half(w.pos.Turn()), v.Shape.Name(sq)
		if half == rules.NoRole || !onLine(v.Shape, sq, file, rank) {
			continue
		}
		if s[0] == "piece" || v.Table[half].Noun.String() == s[0] || v.Table.Code(board[sq]) == s[0] {
			return "one stands on " + at
		}
	}
	return ""
}

// onLine reports whether a square is on a file and a rank, each if given.
func onLine(shape *rules.Shape, sq rules.Square, file, rank string) bool {
	return (file == "" || file == shape.FileName(sq)) && (rank == "" || rank == shape.RankName(sq))
}

// plural says a noun's plural.
var plural = phrase.NewBook(fstest.MapFS{"words/en.toml": {Data: []byte(`plural = "{piece.plural}"`)}})

func (w *witness) noneReaches(s []string) string {
	v, board := w.pos.Variant(), w.pos.Board()
	for sq := range v.Shape.Squares.Squares() {
		half := board[sq].Half(w.pos.Turn())
		if half == rules.NoRole || s[0] != "pieces" && plural.Say("plural", "piece", v.Table[half].Noun).String() != s[0] || !onLine(v.Shape, sq, s[1], s[2]) {
			continue
		}
		if w.can(w.setup(), rules.Move{From: sq, To: w.sq(s[3])}) {
			return "the one on " + v.Shape.Name(sq) + " can"
		}
	}
	return ""
}

// unreachable: the piece cannot go there now, nor on a board without other pieces but
// what stands on that square.
func (w *witness) unreachable(s []string) string {
	m := w.step(s[1], s[2])
	if w.can(w.setup(), m) {
		return "it can"
	}
	alone := w.setup()
	for sq, piece := range alone.Board {
		if at := rules.Square(sq); at != m.From && at != m.To && !w.royal(piece) {
			alone.Board[sq] = rules.Piece{}
		}
	}
	alone.EnPassant = rules.NoSquare
	if half := w.pos.Board()[m.To].Half(w.pos.Turn()); half == rules.NoRole && w.can(alone, m) && s[0] != "king" {
		return "it is its way to move"
	}
	return ""
}

func (w *witness) royal(piece rules.Piece) bool {
	table := w.pos.Variant().Table
	return table[piece.White].Royal || table[piece.Black].Royal
}

// blocked: the blocker stands on the way, and with all others gone from the way the
// move can be made without it alone.
func (w *witness) blocked(s []string) string {
	from, to, block := w.sq(s[0]), w.sq(s[1]), w.sq(s[2])
	way := w.between(s[0], s[1])
	m := rules.Move{From: from, To: to}
	if w.pos.Variant().Table[w.pos.Board()[from].Half(w.pos.Turn())].Pawn {
		way |= to.Set()
	}
	if !way.Has(block) {
		return "it does not stand between"
	}
	if w.exactly(w.setup(), m) {
		return "it does not block"
	}
	open := w.setup()
	if w.royal(open.Board[from]) || w.royal(open.Board[to]) {
		return ""
	}
	for sq := range way.Squares() {
		if w.royal(open.Board[sq]) {
			return "" // kings are not taken off
		}
		open.Board[sq] = rules.Piece{}
	}
	shut := open
	shut.Board[block] = w.pos.Board()[block]
	if w.exactly(shut, m) {
		return "it does not block alone"
	}
	// It may lend the very move that it blocks.
	return unless(w.exactly(open, m) || w.mine(s[2]) && w.lends(), "nothing is gained without it")
}

// lends reports whether pieces of this game lend moves.
func (w *witness) lends() bool { return w.pos.Influences() != nil }

// lend reports whether the mover's piece on one square lends its moves to another.
func (w *witness) lend(lender, to string) bool {
	return w.mine(lender) && slices.ContainsFunc(w.pos.Influences(), func(i rules.Influence) bool {
		return i.From == w.sq(lender) && i.On.Has(w.sq(to))
	})
}

func (w *witness) lastRank(s []string) string {
	rank := w.pos.Variant().Shape.Rank(w.sq(s[0]))
	return unless(rank == [...]int{w.pos.Variant().Shape.Ranks - 1, 0}[w.pos.Turn()], "it isn't the last rank")
}

func (w *witness) noPromotion(s []string) string {
	return unless(w.lastRank(s) != "", "it is the last rank")
}

// strikes reports whether a piece could capture on a square of its own side's, were
// what stands there the opponent's.
func (w *witness) strikes(from, to string) bool {
	setup := w.setup()
	piece := setup.Board[w.sq(to)]
	setup.Board[w.sq(to)] = rules.PieceOf(setup.Turn.Other(), piece.Half(setup.Turn))
	return w.can(setup, w.step(from, to))
}

// noJoins: the text writes a merge or a split, of which there are none.
func (w *witness) noJoins([]string) string {
	joins := slices.ContainsFunc(w.pos.Moves(), func(m rules.Move) bool { return m.Act >= rules.Merge })
	return unless(!joins && strings.ContainsAny(w.text, "~+/"), "there are some, or none is written")
}

// named: the text names captures besides, which no move here does.
func (w *witness) named([]string) string {
	return unless(strings.ContainsAny(w.text, "*x"), "none is written")
}

func (w *witness) noRun(s []string) string {
	from := w.sq(s[1])
	return unless(!slices.ContainsFunc(w.pos.Moves(), func(m rules.Move) bool {
		return m.From == from && m.Kills != 0 && (len(s) < 3 || m.To == w.sq(s[2]))
	}), "it does")
}

// castling: the fault is there.
func (w *witness) castling(s []string) string {
	setup, turn := w.setup(), w.pos.Turn()
	king := w.sq(w.home())
	side := 1
	if strings.Count(strings.ToUpper(w.text), "O") == 3 || strings.HasPrefix(strings.TrimPrefix(strings.TrimLeft(w.text, "Kx~"), w.home()), "c") {
		side = -1
	}
	rook := king + 3
	if side < 0 {
		rook = king - 4
	}
	inCheck := func(on rules.Square) bool {
		moved := setup
		moved.Board[king], moved.Board[on] = rules.Piece{}, setup.Board[king]
		moved.EnPassant = rules.NoSquare
		pos, err := w.pos.Variant().FromSetup(moved)
		return err == nil && pos.Checked() != 0
	}
	near, far := rules.Square(int(king)+side), rules.Square(int(king)+2*side)
	switch strings.Replace(s[0], "howitzer", "rook", 1) { // as Brigade calls it
	case "king or rook has moved before, or the rook is gone":
		letter := map[bool]string{true: "K", false: "Q"}[side > 0]
		if turn == rules.Black {
			letter = strings.ToLower(letter)
		}
		return unless(!strings.Contains(strings.Fields(w.pos.FEN())[2], letter), "neither has")
	case "you have no rook in that corner":
		return unless(setup.Board[rook].Half(turn) != fide.Rook, "there is")
	case "something stands between king and rook":
		for sq := min(king, rook) + 1; sq < max(king, rook); sq++ {
			if setup.Board[sq] != (rules.Piece{}) {
				return ""
			}
		}
		return "nothing does"
	case "the king is in check":
		return unless(w.pos.Checked() != 0, "it isn't")
	case "the king would pass through check":
		return unless(inCheck(near), "it wouldn't")
	case "the king would pass through check or into it":
		return unless(inCheck(near) || inCheck(far), "it wouldn't")
	}
	setup.Board[rook], setup.Board[near] = rules.Piece{}, setup.Board[rook]
	return unless(s[0] == "the king would be in check on "+w.pos.Variant().Shape.Name(far) && inCheck(far), "it wouldn't")
}

// annihilates: after the move the king's square is empty.
func (w *witness) annihilates(s []string) string {
	setup := w.setup()
	king := w.king(&setup.Board, setup.Turn)
	files, ranks := w.apart(s[0], s[4])
	for next := range w.possible(setup, w.step(s[2], s[0])) {
		if next.Board()[king] == (rules.Piece{}) && max(files, ranks) == 1 {
			return ""
		}
	}
	return "it doesn't"
}
