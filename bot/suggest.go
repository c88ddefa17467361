package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/match"
)

// maxSuggestions is how many platforms show.
const maxSuggestions = 25

// Suggest is what fits the beginning of an option's value: legal moves of the game that
// is meant, merging ones first, numbers of games, or pieces.
func (b *Bot) Suggest(ctx context.Context, m Message, option, typed string) []string {
	person, err := b.match.Meet(ctx, m.From.Address, m.From.Name)
	if err != nil {
		return nil
	}
	here, server, err := b.match.Visit(ctx, m.Place, m.Server)
	if err != nil {
		return nil
	}
	r := request{msg: m, me: person, here: here, server: server}
	if _, fault := r.parse(m.Text); fault != nil {
		return nil
	}
	switch option {
	case "move":
		return fitting(b.suggestMoves(ctx, r), typed)
	case "game":
		return fitting(b.suggestGames(ctx, r), strings.TrimPrefix(typed, "#"))
	case "piece":
		return fitting(b.suggestPieces(ctx, r), typed)
	}
	return nil
}

func (b *Bot) suggestMoves(ctx context.Context, r request) []string {
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil
	}
	sight, err := b.match.Look(ctx, id, match.Latest)
	if err != nil || sight.ToMove() != r.me.ID {
		return nil
	}
	texts := sight.Now.Position.ChatTexts()
	slices.SortStableFunc(texts, func(x, y string) int { return btoi(!merging(x)) - btoi(!merging(y)) })
	return texts
}

// merging reports whether a move makes one piece of several, or several of one.
func merging(text string) bool { return strings.ContainsAny(text, "~/+") }

func (b *Bot) suggestGames(ctx context.Context, r request) []string {
	agenda, _, err := b.match.Agenda(ctx, r.me.ID, maxSuggestions)
	if err != nil {
		return nil
	}
	var numbers []string
	for _, it := range agenda {
		numbers = append(numbers, strings.TrimPrefix(hash(it.Game.ID), "#"))
	}
	return numbers
}

func (b *Bot) suggestPieces(ctx context.Context, r request) []string {
	variants := b.match.Variants()
	if id, err := b.meant(ctx, r, anyGame); err == nil {
		if sight, err := b.match.Look(ctx, id, match.Latest); err == nil {
			variants = variants[:0:0]
			variants = append(variants, sight.Variant)
		}
	}
	var names []string
	for _, v := range variants {
		for _, info := range v.Table[1:] {
			if !slices.Contains(names, info.Name) {
				names = append(names, info.Name)
			}
		}
	}
	return names
}

// fitting are the texts that begin with what was typed, then those that contain it.
func fitting(texts []string, typed string) []string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	var first, then []string
	for _, t := range texts {
		switch low := strings.ToLower(t); {
		case strings.HasPrefix(low, typed):
			first = append(first, t)
		case strings.Contains(low, typed):
			then = append(then, t)
		}
	}
	all := append(first, then...)
	return all[:min(len(all), maxSuggestions)]
}
