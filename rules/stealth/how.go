package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// How says what the piece on sq is able to do, and what its captures would make of
// it now.
func (s *State) How(sq rules.Square, does phrase.Phrase) []phrase.Phrase {
	c := fide.OwnerOf(&s.Sides, sq)
	sentences := []phrase.Phrase{does}
	if s.Pawns.Has(sq) {
		last := fide.HomeRank(c.Other()).First() + sq&7
		sentences = append(sentences, book.Say("how.promotes", "square", at(last), "into", roster.table[roster.promotion[sq&7]].Noun))
	}
	if c == s.Turn {
		sentences = append(sentences, s.prospects(sq)...)
	}
	return sentences
}

// abilities are what a piece can do by its powers.
func abilities(p powers) []phrase.Phrase {
	var all []phrase.Phrase
	both := p.rook == p.bishop
	for _, ability := range [...]struct {
		key   string
		has   bool
		level uint8
	}{
		{"all-lines", both && p.rook > 0, p.rook},
		{"straight-lines", !both && p.rook > 0, p.rook},
		{"diagonals", !both && p.bishop > 0, p.bishop},
		{"knight", p.leaps&knight != 0, 0},
		{"prince", p.leaps&prince == prince, 0},
		{"wazir", p.leaps&prince == wazir, 0},
		{"ferz", p.leaps&prince == ferz, 0},
		{"pegasus", p.leaps&pegasus != 0, 0},
	} {
		if ability.has {
			all = append(all, book.Say("power."+ability.key, "level", ability.level))
		}
	}
	return all
}

// prospects say what the mover's piece on sq becomes by its legal captures, once
// for all runs that make the same.
func (s *State) prospects(sq rules.Square) []phrase.Phrase {
	type prospect struct {
		prey rules.Set
		into rules.Role
	}
	var all []phrase.Phrase
	told := map[prospect]bool{}
	for _, m := range s.Moves(nil) {
		p := prospect{s.prey(m), s.becomes(m)}
		if m.From != sq || p.prey == 0 || p.into == s.pieces[sq] || told[p] {
			continue
		}
		told[p] = true
		all = append(all, book.Say("how.becomes", "prey", s.list(m, p.prey), "piece", s.noun(sq), "into", roster.table[p.into].Noun))
	}
	return all
}
