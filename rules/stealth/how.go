package stealth

import (
	"fmt"
	"slices"
	"strings"

	"chimera/rules"
	"chimera/rules/fide"
)

// How says what the piece on sq is able to do, and what its captures would make of
// it now.
func (s *State) How(sq rules.Square) string {
	piece := s.pieces[sq&63]
	if piece == rules.NoRole {
		return ""
	}
	c := rules.White
	if s.Sides[rules.Black].Has(sq) {
		c = rules.Black
	}
	sentences := []string{strings.ToUpper(s.the(sq)[:1]) + s.the(sq)[1:] + " " + s.can(sq, c) + "."}
	if c == s.Turn {
		sentences = append(sentences, s.prospects(sq)...)
	}
	return strings.Join(sentences, " ")
}

// can is what a piece does, in words that follow its name.
func (s *State) can(sq rules.Square, c rules.Color) string {
	if piece := s.pieces[sq]; piece != fide.Pawn {
		return roster.table[piece].Does
	}
	last := fide.HomeRank(c.Other()).First() + sq&7
	return fmt.Sprintf("%s; moving to %s makes it %s",
		roster.table[fide.Pawn].Does, at(last), rules.WithArticle(roster.table[roster.promotion[sq&7]].Name))
}

// abilities are the powers in words, each beginning with a verb.
func abilities(p powers) []string {
	var all []string
	if p.rook == p.bishop {
		all = appendLine(all, "in straight and diagonal lines", p.rook)
	} else {
		all = appendLine(all, "in straight lines", p.rook)
		all = appendLine(all, "diagonally", p.bishop)
	}
	if p.knight {
		all = append(all, "leaps as a knight")
	}
	switch {
	case p.wazir && p.ferz:
		all = append(all, "steps in all eight directions")
	case p.wazir:
		all = append(all, "steps to the four squares straight beside it")
	case p.ferz:
		all = append(all, "steps to the four squares diagonally beside it")
	}
	if p.pegasus {
		all = append(all, "flies as a Pegasus: one step straight and then on diagonally outward, or one step diagonally and then on straight outward, any distance, over anything")
	}
	return all
}

func appendLine(all []string, where string, level uint8) []string {
	switch level {
	case 0:
		return all
	case 1:
		return append(all, "slides "+where)
	case 2:
		return append(all, "slides "+where+" and may leap one piece on the way")
	}
	return append(all, "slides "+where+", may leap one piece on the way, and may run over friends, capturing every enemy on the way")
}

// prospects say what the mover's piece on sq becomes by its legal captures, once
// for all runs that make the same.
func (s *State) prospects(sq rules.Square) []string {
	var all []string
	for _, m := range s.Moves(nil) {
		prey := s.prey(m)
		into := s.becomes(m)
		if m.From != sq || prey == 0 || into == s.pieces[sq] {
			continue
		}
		sentence := fmt.Sprintf("By capturing %s it becomes %s.", s.list(m, prey), rules.WithArticle(roster.table[into].Name))
		if !slices.Contains(all, sentence) {
			all = append(all, sentence)
		}
	}
	return all
}
