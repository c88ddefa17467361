package combination

import (
	"fmt"
	"strings"

	"chimera/rules"
)

// name is "the knight on b2".
func (s *State) name(sq rules.Square) string {
	return "the " + table[s.Role(sq)].Name + " on " + at(sq)
}

// title is name at the beginning of a sentence.
func (s *State) title(sq rules.Square) string { return "T" + s.name(sq)[1:] }

// names lists pieces: "the knight on b2, the rook on c2 and the king on d1".
func (s *State) names(set rules.Set) string {
	var all []string
	for _, sq := range board.ByFile(set) {
		all = append(all, s.name(sq))
	}
	return list(all)
}

func list(all []string) string {
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// How says what the piece on sq may do now and from whom it has it, and to whom it
// lends its own move.
func (s *State) How(sq rules.Square) string {
	role := s.Role(sq)
	if role == rules.NoRole {
		return ""
	}
	sentences := []string{s.title(sq) + " " + table[role].Does + "."}
	if lenders := s.lenders(sq); lenders != 0 {
		sentences = append(sentences, "Now it also moves "+s.howBorrowed(lenders)+".")
		if role == King && lenders&(s.pieces[Bishop]|s.pieces[Rook]) != 0 {
			sentences = append(sentences, "On a borrowed line it may not cross a threatened square.")
		}
	}
	for from := range s.silenced(sq).Squares() {
		sentences = append(sentences, fmt.Sprintf("It borrows nothing from %s, isolated by %s.", s.name(from), s.names(s.isolators(from))))
	}
	if role != Pawn && role != King {
		sentences = append(sentences, s.howLends(sq))
	}
	return strings.Join(sentences, " ")
}

// howBorrowed is "as a knight (lent by the knight on b2 and the knight on d2) and as
// a bishop (lent by the bishop on c2)".
func (s *State) howBorrowed(lenders rules.Set) string {
	var all []string
	for r := Knight; r <= Isolator; r++ {
		if set := lenders & s.pieces[r]; set != 0 {
			all = append(all, fmt.Sprintf("as %s (lent by %s)", rules.WithArticle(table[r].Name), s.names(set)))
		}
	}
	return list(all)
}

// howLends is about the zone of a piece that may have one.
func (s *State) howLends(sq rules.Square) string {
	if isolators := s.isolators(sq); isolators != 0 {
		return fmt.Sprintf("Isolated by %s, it lends its move to nobody now.", s.names(isolators))
	}
	wide := ""
	if amplifiers := s.amplifiers(sq); amplifiers != 0 {
		wide = "Amplified by " + s.names(amplifiers) + ", "
	}
	text := "it lends its move to nobody now."
	if friends := s.zone(sq) & s.sides[s.owner(sq)]; friends != 0 {
		text = "it lends its move to " + s.names(friends) + " now."
	}
	if wide == "" {
		return "I" + text[1:]
	}
	return wide + text
}

var (
	_ rules.Teller     = (*State)(nil)
	_ rules.Influencer = (*State)(nil)
	_ rules.Warner     = (*State)(nil)
)
