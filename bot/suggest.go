package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Suggestion is something that can be written next.
type Suggestion struct{ Label, Value string }

// maxSuggestions is how many suggestions are of use.
const maxSuggestions = 25

// asker is a person who writes something, and where; zero where they or the place were
// never heard of. False is returned if that cannot be read. Nothing is written.
func (b *Bot) asker(ctx context.Context, m Message) (request, bool) {
	me, here, server, err := b.people.Known(ctx, m.From.Address, m.Place)
	return request{msg: m, me: me, here: here, server: server}, err == nil || errors.Is(err, storage.ErrNotFound)
}

// SuggestMoves are the legal moves that what was typed may become, of the game named by
// its number or else meant: those that combine men first, and those that begin so before
// those that have it in them. Where no move can be meant, the only suggestion says why.
func (b *Bot) SuggestMoves(ctx context.Context, m Message, game, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	if _, fault := r.parse(game); fault != nil {
		return hint(fault, typed)
	}
	sight, err := b.toMoveIn(ctx, r)
	if ask := (*errAsk)(nil); errors.As(err, &ask) {
		return hint(words.ChooseGame(len(ask.games)+ask.more), typed)
	}
	if err != nil {
		return hint(b.refuse(ctx, err), typed)
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
	return fitting(sorted, pos.Variant().Plain(typed))
}

// toMoveIn is the game that a request for a move is about, or why there is none.
func (b *Bot) toMoveIn(ctx context.Context, r request) (*match.Sight, error) {
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, err
	}
	r.game = id
	sight, err := b.myMove(ctx, r)
	if err == nil && sight.Game.Over() {
		err = &inbox.Refusal{Why: inbox.Over, Game: id}
	}
	return sight, err
}

// hint is a suggestion that only says something; whoever takes it has written what they
// had typed. There is none without words.
func hint(t words.Text, typed string) []Suggestion {
	if len(t) == 0 {
		return nil
	}
	return []Suggestion{{words.PlainNames(t).Plain(), cmp.Or(strings.TrimSpace(typed), "?")}}
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
// ended, is offered to them, or is a kind of game.
func (b *Bot) SuggestGames(ctx context.Context, m Message, command, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	var all []Suggestion
	switch command {
	case "accept", "decline", "cancel":
		all = b.suggestOffers(ctx, r, command)
	}
	if command != "rematch" {
		playing, _, err := b.games.Agenda(ctx, r.me.ID, limit.Games)
		if err != nil {
			return nil
		}
		for _, g := range playing {
			turn := ""
			if g.Mine {
				turn = ", your turn"
			}
			all = append(all, gameSuggestion(g.Game.ID, g.Variant+" against "+g.Opponent+turn))
		}
	}
	all = slices.DeleteFunc(all, func(s Suggestion) bool { return !fits(s, typed) })
	if len(all) < maxSuggestions {
		all = append(all, b.suggestEnded(ctx, r, typed)...)
	}
	if command == "how" {
		for _, v := range b.games.Variants() {
			all = append(all, fittingAs(v.Name, v.Key, typed)...)
		}
	}
	return all[:min(len(all), maxSuggestions)]
}

func gameSuggestion(id storage.GameID, about string) Suggestion {
	return Suggestion{words.Hash(id) + " " + about, words.Hash(id)}
}

// fits reports whether what was typed may become a suggestion.
func fits(s Suggestion, typed string) bool {
	return strings.Contains(strings.ToLower(s.Label), strings.ToLower(strings.TrimSpace(typed)))
}

// suggestOffers are the challenges that a command can answer.
func (b *Bot) suggestOffers(ctx context.Context, r request, command string) (all []Suggestion) {
	made, pending, err := b.challenges.Challenges(ctx, r.me.ID)
	if err != nil {
		return nil
	}
	about, offers := "%s, offered by %s", pending
	whose := func(c storage.Challenge) storage.PersonID { return c.From }
	if command == "cancel" {
		about, offers = "%s, offered to %s", made
		whose = func(c storage.Challenge) storage.PersonID { return c.To }
	}
	for _, c := range offers {
		name := "anyone"
		if who := whose(c); who != 0 {
			if name, err = b.people.Name(ctx, who); err != nil {
				return all
			}
		}
		if v := b.games.Variant(c.Variant); v != nil {
			all = append(all, gameSuggestion(c.ID, fmt.Sprintf(about, v.Name, name)))
		}
	}
	return all
}

// suggestEnded are the last games of the person's that have ended.
func (b *Bot) suggestEnded(ctx context.Context, r request, typed string) (all []Suggestion) {
	games, err := b.games.LastEnded(ctx, r.me.ID, limit.ListedEnded)
	if err != nil {
		return nil
	}
	for _, g := range games {
		s := gameSuggestion(g.ID, fmt.Sprintf("%s, %s – %s, ended", g.Variant, g.Names[0], g.Names[1]))
		if fits(s, typed) {
			all = append(all, s)
		}
	}
	return all
}

// fittingAs is a suggestion, if what was typed may become its label.
func fittingAs(label, value, typed string) []Suggestion {
	if s := (Suggestion{label, value}); fits(s, typed) {
		return []Suggestion{s}
	}
	return nil
}

// SuggestPieces are the names of pieces: of the game named or meant, else of all.
func (b *Bot) SuggestPieces(ctx context.Context, m Message, game, typed string) []Suggestion {
	r, ok := b.asker(ctx, m)
	if !ok {
		return nil
	}
	all := b.games.Variants()
	if v := b.games.Variant(strings.ToLower(game)); v != nil {
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
	for _, s := range people.Settings(storage.Settings{}) {
		mine = append(mine, s.Name)
	}
	for _, s := range people.ServerSettings(storage.ServerSettings{}, storage.Address{}) {
		server = append(server, s.Name)
	}
	return mine, append(server, "hide", "unhide", "annul")
}
