package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// Suggestion is something that can be written next.
type Suggestion struct{ Label, Value string }

// mostSearched is among how many games in progress is searched.
const mostSearched = 1000

// maxSuggestions is how many suggestions are of use.
const maxSuggestions = 25

// asker is a person who writes something, and where; false if that cannot be read.
func (b *Bot) asker(ctx context.Context, m Message) (request, bool) {
	me, err := b.match.Meet(ctx, m.From.Address, m.From.Name)
	if err != nil {
		return request{}, false
	}
	here, server, err := b.match.Visit(ctx, m.Place, m.Server)
	return request{msg: m, me: me, here: here, server: server}, err == nil
}

// SuggestMoves are the legal moves that what was typed may become, of the game named by
// its number or else meant: those that combine men first, and those that begin so before
// those that have it in them.
func (b *Bot) SuggestMoves(ctx context.Context, m Message, game, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	if _, fault := r.parse(game); fault != nil {
		return nil
	}
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil
	}
	sight, err := b.match.Look(ctx, id, match.Latest)
	if err != nil || sight.Game.Over() || sight.ToMove() != r.me.ID {
		return nil
	}
	pos := sight.Now.Position
	moves, texts := pos.Moves(), pos.ChatTexts()
	order := make([]int, len(moves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(plainness(moves[i]), plainness(moves[j])) })
	var sorted []string
	for _, i := range order {
		sorted = append(sorted, texts[i])
	}
	return fitting(sorted, typed)
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
	all := slices.Concat(begin, have)
	return all[:min(len(all), maxSuggestions)]
}

// SuggestGames are the person's games, the most urgent first; for some commands what has
// ended, is offered to him, or is a kind of game.
func (b *Bot) SuggestGames(ctx context.Context, m Message, command, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	list, err := b.list(ctx, r.me)
	if err != nil {
		return nil
	}
	if list.playing, _, err = b.match.Agenda(ctx, r.me.ID, mostSearched); err != nil {
		return nil
	}
	var all []Suggestion
	add := func(id storage.GameID, about string) {
		s := Suggestion{hash(id) + " " + about, hash(id)}
		if strings.Contains(strings.ToLower(s.Label), strings.ToLower(strings.TrimSpace(typed))) {
			all = append(all, s)
		}
	}
	offered := func(challenges []storage.Challenge, about string, whose func(storage.Challenge) storage.PersonID) {
		for _, c := range challenges {
			if v := b.match.Variant(c.Variant); v != nil {
				add(c.ID, fmt.Sprintf(about, v.Name, cmp.Or(list.names[whose(c)], "anyone")))
			}
		}
	}
	switch command {
	case "accept", "decline":
		offered(list.pending, "%s, offered by %s", func(c storage.Challenge) storage.PersonID { return c.From })
	case "cancel":
		offered(list.made, "%s, offered to %s", func(c storage.Challenge) storage.PersonID { return c.To })
	}
	if command != "rematch" {
		for _, g := range list.playing {
			turn := ""
			if g.Mine {
				turn = ", your turn"
			}
			add(g.Game.ID, g.Variant+" against "+g.Opponent+turn)
		}
	}
	for _, s := range list.ended {
		add(s.Game.ID, fmt.Sprintf("%s, %s – %s, ended", s.Variant.Name, s.Names[0], s.Names[1]))
	}
	if command == "how" {
		for _, v := range b.match.Variants() {
			all = append(all, fittingAs(v.Name, v.Key, typed)...)
		}
	}
	return all[:min(len(all), maxSuggestions)]
}

// fittingAs is a suggestion, if what was typed may become its label.
func fittingAs(label, value, typed string) []Suggestion {
	if !strings.Contains(strings.ToLower(label), strings.ToLower(strings.TrimSpace(typed))) {
		return nil
	}
	return []Suggestion{{label, value}}
}

// SuggestPieces are the names of pieces: of the game named or meant, else of all.
func (b *Bot) SuggestPieces(ctx context.Context, m Message, game, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	all := b.match.Variants()
	if v := b.match.Variant(strings.ToLower(game)); v != nil {
		all = []*rules.Variant{v}
	} else if _, fault := r.parse(game); fault == nil {
		if sight, err := b.look(ctx, r, match.Latest); err == nil {
			all = []*rules.Variant{sight.Variant}
		}
	}
	var found []Suggestion
	seen := map[string]bool{}
	for _, v := range all {
		for role, info := range v.Table {
			if rules.Role(role) == rules.NoRole || info.Name == "" || seen[info.Name] {
				continue
			}
			seen[info.Name] = true
			found = append(found, fittingAs(info.Name+" ("+info.Code+")", info.Name, typed)...)
		}
	}
	return found[:min(len(found), maxSuggestions)]
}

// SuggestCommands are the commands that what was typed may become.
func SuggestCommands(typed string) []Suggestion {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return fitting(names, strings.TrimPrefix(typed, "/"))
}

// SettingNames are what people can choose for themselves, and managers for a server.
func SettingNames() (mine, server []string) {
	for _, s := range match.Settings(storage.Settings{}) {
		mine = append(mine, s.Name)
	}
	for _, s := range match.ServerSettings(storage.ServerSettings{}, storage.Address{}) {
		server = append(server, s.Name)
	}
	return mine, append(server, "hide", "unhide", "annul")
}
