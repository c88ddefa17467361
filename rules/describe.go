package rules

import "chimera/rules/phrase"

// Describe says in whole sentences what a move did: given its [Position.Effects].
func (v *Variant) Describe(effects []Effect) phrase.Phrase {
	var did byKind
	for _, e := range effects {
		did[e.Kind] = append(did[e.Kind], e)
	}
	switch {
	case len(effects) == 0:
		return phrase.Phrase{}
	case did[Annihilated] != nil:
		rest := effects[:len(effects)-len(did[Annihilated])]
		return book.Say("did.annihilates", "move", v.Describe(rest), "pieces", phrase.And(v.allOn(did[Annihilated])))
	case did[Shot] != nil:
		return v.describeShot(effects, &did)
	case did[Merged] != nil:
		return v.describeMerge(&did)
	case did[Parted] != nil:
		part := did[Parted][0]
		return book.Say("did.parts", "piece", v.Noun(part.Piece), "from", v.Shape.Name(part.From), "to", v.Shape.Name(part.To), "other", v.Noun(part.Into))
	case did[Moved] == nil:
		return book.Say("did.takes-from", "from", v.Shape.Name(effects[0].From), "pieces", phrase.And(v.allOn(effects)))
	}
	return v.describeMove(effects, &did)
}

// byKind are the effects of a move by their kind.
type byKind [Castled + 1][]Effect

// allOn are the pieces that effects are about, each with the square where that was.
func (v *Variant) allOn(effects []Effect) (all []phrase.Phrase) {
	for _, e := range effects {
		all = append(all, v.on(e.Piece, e.To))
	}
	return all
}

func (v *Variant) describeMove(effects []Effect, did *byKind) phrase.Phrase {
	move := did[Moved][0]
	piece, from, to := v.Noun(move.Piece), v.Shape.Name(move.From), v.Shape.Name(move.To)
	var taken []Effect
	var becomes Piece
	for _, e := range effects {
		switch e.Kind {
		case Absorbed:
			taken, becomes = append(taken, e), e.Into
		case Captured, Born:
			taken = append(taken, e)
		case Promoted:
			becomes = e.Into
		default:
		}
	}
	there := len(taken) == 1 && taken[0].To == move.To
	switch {
	case did[Castled] != nil:
		rook := did[Castled][0]
		return book.Say("did.castles", "piece", piece, "from", from, "to", to,
			"rook", v.Noun(rook.Piece), "rook-from", v.Shape.Name(rook.From), "rook-to", v.Shape.Name(rook.To))
	case did[Born] != nil:
		born := did[Born][0]
		return book.Say("did.bears", "piece", piece, "from", from, "prey", v.Noun(born.Piece), "to", to, "into", v.Noun(born.Into))
	case there && becomes != Piece{}:
		return book.Say("did.takes-becomes", "piece", piece, "from", from, "prey", v.Noun(taken[0].Piece), "to", to, "into", v.Noun(becomes))
	case there:
		return book.Say("did.takes", "piece", piece, "from", from, "prey", v.Noun(taken[0].Piece), "to", to)
	case taken != nil && becomes != Piece{}:
		return book.Say("did.raids-becomes", "piece", piece, "from", from, "to", to, "pieces", phrase.And(v.allOn(taken)), "into", v.Noun(becomes))
	case taken != nil:
		return book.Say("did.raids", "piece", piece, "from", from, "to", to, "pieces", phrase.And(v.allOn(taken)))
	case becomes != Piece{}:
		return book.Say("did.becomes", "piece", piece, "from", from, "to", to, "into", v.Noun(becomes))
	}
	return book.Say("did.moves", "piece", piece, "from", from, "to", to)
}

// describeMerge is for two pieces of one side that became one.
func (v *Variant) describeMerge(did *byKind) phrase.Phrase {
	one, other := did[Merged][0], did[Merged][1]
	piece, from, with, second := v.Noun(one.Piece), v.Shape.Name(one.From), v.Noun(other.Piece), v.Shape.Name(other.From)
	to, into := v.Shape.Name(one.To), v.Noun(one.Into)
	switch {
	case other.From == other.To:
		return book.Say("did.joins", "piece", piece, "from", from, "other", with, "to", to, "into", into)
	case did[Captured] != nil:
		prey := v.Noun(did[Captured][0].Piece)
		return book.Say("did.meets-takes", "piece", piece, "from", from, "other", with, "second", second, "prey", prey, "to", to, "into", into)
	}
	return book.Say("did.meets", "piece", piece, "from", from, "other", with, "second", second, "to", to, "into", into)
}

// describeShot is for a move with a shot, which comes before the piece moves or after.
func (v *Variant) describeShot(effects []Effect, did *byKind) phrase.Phrase {
	shot := did[Shot][0]
	prey, target := v.Noun(shot.Piece), v.Shape.Name(shot.To)
	if len(effects) != 2 || did[Moved] == nil {
		return book.Say("did.shot", "prey", prey, "target", target, "from", v.Shape.Name(shot.From))
	}
	move := did[Moved][0]
	piece, from, to := v.Noun(move.Piece), v.Shape.Name(move.From), v.Shape.Name(move.To)
	if shot.From == move.To {
		return book.Say("did.moves-shoots", "piece", piece, "from", from, "to", to, "prey", prey, "target", target)
	}
	return book.Say("did.shoots-moves", "piece", piece, "from", from, "prey", prey, "target", target, "to", to)
}
