package bot_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
)

// secrets are what nobody else may learn of the games of two people: their names, all
// positions and moves of a game.
func (o *office) secrets() []string {
	o.t.Helper()
	all := []string{"quentin", "rosalind"}
	o.view(func(r storage.Reader) error {
		ids, err := r.GameIDs()
		for g, err := range r.Games().Each(ids) {
			if err != nil {
				return err
			}
			board, _, _ := strings.Cut(g.FEN, " ")
			all = append(append(all, board), g.Moves...)
		}
		return err
	})
	return append(all, "Na3", "Nh6", "Nb5", "Ng4")
}

func (o *office) view(fn func(storage.Reader) error) {
	o.t.Helper()
	must(o.t, o.store.View(o.t.Context(), fn))
}

// tells is the first secret that a note gives away, "" for none.
func tells(n *message.Message, secrets []string) string {
	said := n.Text.Plain()
	for _, b := range n.Buttons {
		said += "\n" + b.Label
	}
	if n.File != nil {
		said += "\n" + n.File.Content
	}
	if n.Chart != nil {
		said += "\n" + n.Chart.Words()
	}
	for _, s := range secrets {
		if strings.Contains(said, s) {
			return s
		}
	}
	if n.Replay != nil {
		return "a moving picture"
	}
	return ""
}

// TestStrangersLearnNothingOfGamesElsewhere has a manager of another server give every command and press every button,
// there and in private, with the numbers of games and challenges that are not shown there.
func TestStrangersLearnNothingOfGamesElsewhere(t *testing.T) {
	o := newOffice(t)
	club, alone := "club", ""
	hear := func(server, who, line string) {
		t.Helper()
		m := from(server, who)
		m.Text = line
		notes, err := o.bot.Handle(t.Context(), m)
		must(t, err)
		for _, n := range notes {
			t.Logf("%s: %s: %s", who, line, n.Text.Plain())
		}
	}
	hear(alone, "rosalind", "version")
	var games []int
	for i, server := range []string{alone, club, alone, club} {
		id := i + 1
		games = append(games, id)
		hear(server, "quentin", "challenge @rosalind chess white unrated")
		hear(server, "rosalind", fmt.Sprintf("accept #%d", id))
		for ply, move := range []string{"Na3", "Nh6", "Nb5", "Ng4"} {
			hear(server, []string{"quentin", "rosalind"}[ply%2], fmt.Sprintf("move #%d %s", id, move))
		}
		if i >= 2 { // the game has ended
			hear(server, "rosalind", fmt.Sprintf("resign #%d", id))
			hear(server, "rosalind", fmt.Sprintf("resign #%d", id))
		}
	}
	hear(alone, "quentin", "challenge @rosalind chess white unrated")
	hear(club, "quentin", "challenge chess black unrated")
	games = append(games, 5, 6)
	o.settle()
	o.view(func(r storage.Reader) error {
		for _, id := range games[:4] {
			if g, err := r.Games().Get(storage.GameID(id)); err != nil || len(g.Moves) != 4 || g.Over() != (id > 2) {
				t.Fatalf("game %d is %+v: %v", id, g, err)
			}
		}
		_, err := r.Challenges().Get(5)
		return err
	})
	secrets := o.secrets()

	ask := func(m message.Incoming, secrets []string) {
		notes, err := o.bot.Handle(t.Context(), m)
		if err != nil {
			t.Errorf("%s%s: %v", m.Text, m.Press, err)
		}
		for _, n := range notes {
			told := tells(&n, secrets)
			if told == "" && n.Board != nil && !slices.Contains([]string{"rules", "play"}, bot.CommandIn(&m).Name) { // play shows a game of theirs
				told = "a picture"
			}
			if told != "" {
				t.Errorf("%q in %q of %v tells %s: %s", m.Text+m.Press, m.Place.ID, m.ReplyTo, told, n.Text.Plain())
			}
		}
	}
	for _, server := range []string{"elsewhere", alone} {
		m := from(server, "stranger")
		m.Manager = true
		for _, id := range games {
			for _, text := range texts(id) {
				m.Text, m.Press, m.Arrived = text, "", strings.HasPrefix(text, "accept") || strings.HasPrefix(text, "link")
				m.ReplyTo = 0
				ask(m, secrets)
				if strings.Contains(text, "#") {
					continue
				}
				m.ReplyTo = storage.GameID(id)
				ask(m, secrets)
			}
			m.ReplyTo, m.Text, m.Arrived = 0, "", false
			for _, verb := range bot.PressVerbs() {
				for _, ply := range []string{"-", "4", "0"} {
					for _, rest := range []string{"", " e2e4", " b5c7", " - - 0", " b5 - 0", " b5 c7 0", " 0 all overall 1"} {
						m.Press = fmt.Sprintf("%s %d %s%s", verb, id, ply, rest)
						ask(m, secrets)
					}
				}
			}
			m.Press = ""
			o.suggests(m, id, secrets)
		}
		for _, c := range bot.Commands() { // everybody may see whom somebody has played most often
			if m.Text = c.Name + " @quentin"; c.Name == "play" { // which means challenge
				continue
			}
			ask(m, append(slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return s == "quentin" || s == "rosalind" }), "#1 ", "#2 ", "#5 "))
		}
	}
	o.drain()
	for _, p := range o.chat.said {
		if told := tells(&p.Note, secrets); told != "" && (p.Place.Address.ID == "elsewhere room" || p.Place.Address.ID == "stranger") {
			t.Errorf("at %q is told %s: %s", p.Place.Address.ID, told, p.Note.Text.Plain())
		}
	}
}

// texts is every command about a game, with the game named in each possible place, and what may follow the bot's link.
func texts(id int) (all []string) {
	for _, c := range bot.Commands() {
		for _, form := range []string{"%s #%d", "%s #%d e2", "%s #%d Nc7", "%s #%d 4", "%s #%d zones", "%s #%d clear", "%s %d"} {
			all = append(all, fmt.Sprintf(form, c.Name, id))
		}
		all = append(all, c.Name)
	}
	for _, form := range []string{"#%d", "#%d Nc7", "settings here annul #%d", "Nc7 #%d", "accept link-%d", "accept %d"} {
		all = append(all, fmt.Sprintf(form, id))
	}
	return all
}

// suggests checks that nothing suggested to a message's author gives away the secrets of a game.
func (o *office) suggests(m message.Incoming, id int, secrets []string) {
	o.t.Helper()
	named := fmt.Sprintf("#%d", id)
	var all []bot.Suggestion
	for _, c := range bot.Commands() {
		for _, a := range c.Args {
			for _, game := range []string{"", named} {
				for _, typed := range []string{"", named, strconv.Itoa(id), "q"} {
					if a.Kind == bot.ArgMove && (game == "" || typed != "") {
						continue // it says back what was typed
					}
					all = append(all, o.bot.Suggest(o.t.Context(), m, c.Name, a.Name, game, typed)...)
				}
			}
		}
	}
	for _, s := range all {
		said := s.Label + " " + s.Value
		for _, secret := range secrets {
			contains(o.t, said, "!"+secret)
		}
	}
	for _, label := range []string{"Move", "Flip", "Draw", "Resign", "More"} {
		m.ReplyTo = storage.GameID(id)
		if press := o.bot.BoardPress(o.t.Context(), m, label); press != "" {
			o.t.Errorf("the button %s of %s is %q", label, named, press)
		}
	}
}

// from is a message of somebody's in the room of a server, or in private if that is "".
func from(server, who string) message.Incoming {
	m := message.Incoming{From: someone(who), People: map[string]message.Account{"@quentin": someone("quentin"), "@rosalind": someone("rosalind")}}
	if server == "" {
		m.Private, m.Place = true, storage.Address{Platform: "test", ID: who}
		return m
	}
	m.Server, m.Place = storage.Address{Platform: "test", ID: server}, storage.Address{Platform: "test", ID: server + " room"}
	return m
}
