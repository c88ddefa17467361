package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chimera/bot/command"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Suggestion is something that can be written next.
type Suggestion struct{ Label, Value string }

// maxSuggestions is how many suggestions are of use.
const maxSuggestions = 25

// Suggest is what an argument of a command may become of which somebody has typed something;
// game is the one that they have filled in beside it, "" if none.
func (b *Bot) Suggest(ctx context.Context, m message.Incoming, command, argument, game, begun string) []Suggestion {
	r, ok := b.Asker(ctx, m)
	c := b.Commands.Find(command)
	if !ok || c == nil || c.Arg(argument) == nil {
		return nil
	}
	r.Reading = b.Commands.Read(game)
	var all []Suggestion
	switch kind := c.Arg(argument).Kind; kind {
	case ArgMove:
		if r.Fault != nil {
			return onlySays(r, r.Fault, begun)
		}
		all = b.suggestMoves(ctx, r, begun)
	case ArgGame, ArgOffer, ArgOwnOffer, ArgEnded, ArgGameOrKind:
		r.Game = 0
		all = b.suggestGames(ctx, r, kind, begun)
	case ArgPiece:
		all = b.suggestPieces(ctx, r, game, begun)
	case ArgCommand:
		all = b.suggestCommands(r, strings.TrimPrefix(begun, "/"))
	case ArgPace, ArgDays:
		all = suggestDays(r, c.Arg(argument), begun)
	default: // written, or chosen among few
	}
	return all[:min(len(all), maxSuggestions)]
}

// suggestMoves are the legal moves that what was typed may become, of the game named by its
// number or else meant: those that combine pieces first, and those that begin so before those
// that have it in them. Where no move can be meant, the only suggestion says why.
func (b *Bot) suggestMoves(ctx context.Context, r Request, typed string) []Suggestion {
	view, err := b.toMoveIn(ctx, r)
	if several := (*severalGames)(nil); errors.As(err, &several) {
		return onlySays(r, words.Say("request.choose-game", "n", len(several.Games), "option", words.Book().Say("option-name.game")), typed)
	}
	if err != nil {
		if no, _ := b.refusal(ctx, r, err); no != nil {
			return onlySays(r, no.Text, typed)
		}
		return nil
	}
	pos := view.Now.Position
	moves, texts := pos.Moves(), pos.ChatTexts()
	of := map[string]rules.Move{}
	for i, text := range texts {
		of[text] = moves[i]
	}
	sorted := slices.Clone(texts)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(plainness(of[a]), plainness(of[b])) })
	found := fitting(sorted, pos.Variant().Plain(typed))
	found = found[:min(len(found), maxSuggestions)]
	for i, s := range found {
		found[i].Label += " – " + pos.Variant().Describe(pos.Effects(of[s.Value])).Text(r.Language())
	}
	return found
}

// onlySays is a suggestion that says something and stands for nothing; whoever takes it has written what they
// had typed.
func onlySays(r Request, t words.Text, typed string) []Suggestion {
	return []Suggestion{{words.PlainNames(t.In(r.Language())).Plain(), cmp.Or(strings.TrimSpace(typed), "?")}}
}

// plainness orders moves for suggestions.
func plainness(m rules.Move) int {
	switch m.Act {
	case rules.Merge, rules.Rally:
		return 0
	case rules.Split:
		return 1
	default:
		return 2
	}
}

// fitting are those of some texts that what was typed may become.
func fitting(texts []string, typed string) []Suggestion {
	typed = strings.ToLower(strings.Join(strings.Fields(typed), ""))
	var begin, have []Suggestion
	for _, text := range texts {
		low := strings.ToLower(text)
		switch {
		case strings.HasPrefix(low, typed):
			begin = append(begin, Suggestion{text, text})
		case strings.Contains(low, typed):
			have = append(have, Suggestion{text, text})
		}
	}
	return slices.Concat(begin, have)
}

// suggestGames are the asker's games, the most urgent first; for some kinds of arguments what
// has ended, is offered to them or by them, or is a kind of game.
func (b *Bot) suggestGames(ctx context.Context, r Request, kind ArgKind, typed string) []Suggestion {
	var all []Suggestion
	add := func(s Suggestion) {
		if fits(s, typed) {
			all = append(all, s)
		}
	}
	if kind == ArgOffer || kind == ArgOwnOffer {
		b.suggestOffers(ctx, r, kind, add)
	}
	if kind != ArgEnded {
		agenda, _, err := b.Games.Agenda(ctx, r.by(), r.Me.ID, maxSuggestions, func(it *match.Item) bool { return fits(playing(r, it), typed) })
		if err != nil {
			return nil
		}
		for i := range agenda {
			all = append(all, playing(r, &agenda[i]))
		}
	}
	if len(all) < maxSuggestions {
		ended, _ := b.Games.LastEnded(ctx, r.Me.ID, limit.ListedEnded) // without them there are fewer
		for _, g := range ended {
			add(suggested(r, g.ID, words.Say("request.suggest-ended", "game", g.ID, "variant", g.Variant, "white", g.Names[0], "black", g.Names[1])))
		}
	}
	if kind == ArgGameOrKind {
		for _, v := range b.Games.Variants() {
			add(Suggestion{v.Name, v.Key})
		}
	}
	return all
}

// playing suggests a game in progress.
func playing(r Request, it *match.Item) Suggestion {
	return suggested(r, it.Game.ID, words.Say("request.suggest-playing",
		"game", it.Game.ID, "variant", it.Variant, "opponent", it.Opponent, "mine", it.Mine))
}

// suggested suggests a game, or a challenge.
func suggested(r Request, id storage.GameID, about words.Text) Suggestion {
	return Suggestion{about.In(r.Language()).Plain(), words.Hash(id)}
}

// fits reports whether what was typed may become a suggestion.
func fits(s Suggestion, typed string) bool {
	return strings.Contains(strings.ToLower(s.Label), strings.ToLower(strings.TrimSpace(typed)))
}

// suggestOffers adds the challenges to the asker, or by them.
func (b *Bot) suggestOffers(ctx context.Context, r Request, kind ArgKind, add func(Suggestion)) {
	made, pending, err := b.Match.Challenges(ctx, r.by(), r.Me.ID)
	if err != nil {
		return
	}
	offers, own := pending, kind == ArgOwnOffer
	if own {
		offers = made
	}
	for _, c := range offers {
		v, who := b.Games.Variant(c.Variant), c.From
		if own {
			who = c.To
		}
		switch {
		case v == nil:
		case who == 0:
			add(suggested(r, c.ID, words.Say("request.suggest-open", "game", c.ID, "variant", v.Name)))
		default:
			name, err := b.Users.Name(ctx, who)
			if err != nil {
				return
			}
			way := map[bool]string{true: "to", false: "by"}[own]
			add(suggested(r, c.ID, words.Say("request.suggest-offered-"+way, "game", c.ID, "variant", v.Name, "player", name)))
		}
	}
}

// suggestCommands are the commands that what was typed may become, by what they are called in the
// asker's language or by their names.
func (b *Bot) suggestCommands(r Request, typed string) []Suggestion {
	var begin, have []Suggestion
	for _, c := range b.Commands {
		called := c.Spoken(r.Language())
		s := Suggestion{called + " – " + c.About().Text(r.Language()), c.Name}
		low := strings.ToLower(strings.TrimSpace(typed))
		switch {
		case strings.HasPrefix(called, low), strings.HasPrefix(c.Name, low):
			begin = append(begin, s)
		case fits(s, typed):
			have = append(have, s)
		}
	}
	return slices.Concat(begin, have)
}

// suggestDays are what was typed for an argument, and usual days that it may become, with what
// they mean.
func suggestDays(r Request, a *Arg, begun string) (all []Suggestion) {
	begun = strings.ToLower(strings.Join(strings.Fields(begun), ""))
	usual := []string{begun, begun + "d", "1d", "2d", "3d", "5d", "7d", "14d", a.No}
	if a.Kind == ArgPace {
		usual = []string{begun, begun + "d", "1d", "3d", "7d", "14d", "1d+10d", "0d"}
	}
	for _, text := range usual {
		label := words.Called(text)
		n, days := command.Days(text)
		pace, paced := command.Pace(text)
		switch {
		case text == "", !r.says(a, text), !strings.HasPrefix(text, begun), !strings.HasSuffix(text, "d") && text != a.No:
			continue
		case a.Kind == ArgPace && paced:
			label = words.Pace(pace)
		case days:
			label = words.Days(n)
		}
		if s := (Suggestion{label.Text(r.Language()), text}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// suggestPieces are the names of pieces: of the game named or meant, else of all.
func (b *Bot) suggestPieces(ctx context.Context, r Request, game, typed string) []Suggestion {
	all := b.Games.Variants()
	if v := b.Games.Variant(strings.ToLower(game)); v != nil {
		all = []*rules.Variant{v}
	} else if view, err := b.shown(ctx, r, match.Latest); err == nil && r.Fault == nil {
		all = []*rules.Variant{view.Variant}
	}
	var found []Suggestion
	seen := map[string]bool{}
	for _, v := range all {
		for role, info := range v.Table {
			if rules.Role(role) == rules.NoRole || info.Name == "" || seen[info.Name] {
				continue
			}
			seen[info.Name] = true
			name := info.Noun.Text(r.Language())
			if s := (Suggestion{name + " (" + info.Code + ")", name}); fits(s, typed) {
				found = append(found, s)
			}
		}
	}
	return found
}
