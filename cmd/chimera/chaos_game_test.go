package main

import (
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"chimera/bot/fake"
	"chimera/storage"
)

// chaosGame is a game between two people, who move when they have seen the last move wherever it
// is told.
type chaosGame struct {
	id     storage.GameID
	script []string
	places []*chaosPlace
	write  [2]func(text string) // what White and Black write
	sent   int                  // plies
	at     time.Time            // when the last was
}

// chaosPlace is where a game is told.
type chaosPlace struct {
	name  string
	game  *chaosGame
	white bool // the moves of White alone
	last  int  // ply that was told
	twice int
}

// tells reports whether a ply has to be told there.
func (p *chaosPlace) tells(ply int) bool { return ply%2 == 1 || !p.white }

// due is how many of the first plies have to be told there.
func (p *chaosPlace) due(plies int) int {
	if p.white {
		return (plies + 1) / 2
	}
	return plies
}

// waits reports whether the last ply is still to be told anywhere.
func (g *chaosGame) waits() bool {
	for _, p := range g.places {
		if p.tells(g.sent) && p.last < g.sent {
			return true
		}
	}
	return false
}

// begin begins the n-th game, before anything fails.
func (c *chaos) begin(n int) {
	c.t.Helper()
	g := &chaosGame{id: storage.GameID(n + 1)}
	c.games = append(c.games, g)
	title := fmt.Sprint("Chess #", g.id)
	white, black := fake.Person{ID: int64(1000 + 2*n), Name: fmt.Sprint("white", n)}, fake.Person{ID: int64(1001 + 2*n), Name: fmt.Sprint("black", n)}
	group := int64(-1000 - n)
	whiteThere, blackThere := fake.User{ID: fmt.Sprint(2000 + 2*n), Name: white.Name}, fake.User{ID: fmt.Sprint(2001 + 2*n), Name: black.Name}
	challenge := func() fake.Request {
		c.discord.Slash(fake.Channel, whiteThere, "challenge", "game=combine", "colour=white", "rated=false")
		return c.discord.Posted("POST channels/"+fake.Channel+"/messages", white.Name+" is looking for an opponent")
	}
	share := float64(*chaosMoves) / float64(chaosGames())
	plies := func(part float64) int { return int(math.Ceil(share * part)) }
	switch n % 3 {
	case 0: // a group on Telegram takes twenty messages a minute
		g.script = c.script(plies(2. / 3))
		c.telegram.Say(group, white, "/challenge combine white unrated")
		c.telegram.Posted(fmt.Sprint("chat_id:", group), "Join")
		c.telegram.Say(group, black, "/accept")
		c.telegram.Posted(fmt.Sprint("chat_id:", group), title)
		g.write = [2]func(string){c.onTelegram(group, white), c.onTelegram(group, black)}
		c.told(g, fmt.Sprint("telegram ", group), false)
	case 1:
		g.script = c.script(plies(7. / 6))
		thread := challenge().ID
		c.discord.Slash(fake.Channel, blackThere, "accept", fmt.Sprint("game=#", g.id))
		c.discord.Posted("POST channels/"+thread+"/messages", title)
		g.write = [2]func(string){c.onDiscord(thread, whiteThere), c.onDiscord(thread, blackThere)}
		c.told(g, "discord "+thread, false)
	default:
		g.script = c.script(plies(7. / 6))
		offer := challenge()
		code := codeInText.FindStringSubmatch(fmt.Sprint(offer.Body))
		c.telegram.Say(black.ID, black, "/start "+code[1])
		c.telegram.Posted("sendPhoto", fmt.Sprint("chat_id:", black.ID), title)
		c.discord.Posted("POST channels/"+offer.ID+"/messages", title)
		g.write = [2]func(string){c.onDiscord(offer.ID, whiteThere), c.onTelegram(black.ID, black)}
		c.told(g, "discord "+offer.ID, false)
		c.told(g, fmt.Sprint("telegram ", black.ID), true)
	}
}

// told notes where a game is told.
func (c *chaos) told(g *chaosGame, place string, white bool) {
	p := &chaosPlace{name: place, game: g, white: white}
	g.places = append(g.places, p)
	c.places[place] = p
}

// onTelegram is how somebody moves there.
func (c *chaos) onTelegram(chat int64, who fake.Person) func(string) {
	return func(move string) {
		if chat < 0 {
			move = []string{"/move ", "/move@" + fake.BotName + " "}[c.random.IntN(2)] + move
		}
		c.telegram.Say(chat, who, move)
	}
}

// onDiscord is how somebody moves there.
func (c *chaos) onDiscord(channel string, who fake.User) func(string) {
	return func(move string) {
		c.discord.Say(channel, who, []string{"", "<@" + fake.DiscordID + "> "}[c.random.IntN(2)]+move)
	}
}

// play makes the next move of a game.
func (c *chaos) play(g *chaosGame) {
	if g.sent == len(g.script) {
		c.over++
		return
	}
	g.sent++
	g.at = time.Now()
	g.write[(g.sent-1)%2](g.script[g.sent-1])
}

// insist lets a player who was told that something went wrong write again.
func (c *chaos) insist(g *chaosGame) {
	if g.waits() {
		c.insisted++
		c.mark("game %d, ply %d: something went wrong, and the player writes again", g.id, g.sent)
		g.write[(g.sent-1)%2](g.script[g.sent-1])
	}
}

// aMove is how a move begins that is announced.
var aMove = regexp.MustCompile(`(?:<b>|\*\*)(\d+)(\.|…) `)

// share lets what is said be heard, from now on.
func (c *chaos) share() {
	c.telegram.Look(func(said fake.Call) *fake.Refusal {
		if strings.HasPrefix(said.Method, "send") {
			c.hear("telegram "+said.Fields["chat_id"], said.Fields["text"]+said.Fields["caption"])
		}
		return nil
	})
	c.discord.Lock()
	defer c.discord.Unlock()
	c.discord.Tap = func(said fake.Request) {
		channel, ok := strings.CutPrefix(said.Path, "channels/")
		channel, last := strings.CutSuffix(channel, "/messages")
		if said.Method == http.MethodPost && ok && last && said.ID != "again" {
			c.hear("discord "+channel, said.Text)
		}
	}
}

// hear takes in what was said somewhere.
func (c *chaos) hear(place, text string) {
	p := c.places[place]
	if p == nil {
		return
	}
	if strings.Contains(text, "Please try again") {
		c.events <- func() { c.insist(p.game) }
	}
	for _, found := range aMove.FindAllStringSubmatch(text, -1) {
		number, _ := strconv.Atoi(found[1]) // it is one
		ply := 2 * number
		if found[2] == "." {
			ply--
		}
		if p.tells(ply) { // what others have seen is told along with what comes after it
			c.events <- func() { c.note(p, ply, text) }
		}
	}
}

// note notes that a ply was told somewhere, and goes on with its game.
func (c *chaos) note(p *chaosPlace, ply int, text string) {
	c.t.Helper()
	g := p.game
	c.said++
	before := p.last
	if before > 0 && p.white {
		before++
	}
	switch {
	case ply == p.last:
		p.twice++
		return
	case ply != before+1 || ply > g.sent:
		c.t.Errorf("game %d, %s: ply %d was told after ply %d, when %d had been played:\n%s", g.id, p.name, ply, p.last, g.sent, text)
	}
	p.last = ply
	if g.waits() {
		return
	}
	c.pay(g)
	c.longest = max(c.longest, time.Since(g.at))
	if c.random.IntN(2) == 0 {
		c.play(g)
	} else { // the player thinks, so that games last while much fails
		c.later(c.between(0, chaosLease), func() { c.play(g) })
	}
}
