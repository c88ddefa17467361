package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// command and option are slash commands as Discord takes them.
type command struct {
	Name        string   `json:"name"`
	Type        int      `json:"type"`
	Description string   `json:"description,omitempty"`
	Options     []option `json:"options,omitempty"`
	Contexts    []int    `json:"contexts"`
}

type option struct {
	Type         int      `json:"type"`
	Name         string   `json:"name"`
	Description  string   `json:"description"`
	Required     bool     `json:"required,omitempty"`
	Choices      []choice `json:"choices,omitempty"`
	Autocomplete bool     `json:"autocomplete,omitempty"`
	Min          int      `json:"min_value,omitempty"`
	Max          int      `json:"max_value,omitempty"`
}

type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Kinds of commands and options.
const (
	slash    = 1
	userMenu = 2

	text    = 3
	integer = 4
	boolean = 5
	user    = 6

	maxDescription = 100
)

// commands are all slash commands, and the menu of a person.
func (a *Adapter) commands() []command {
	game := option{Type: text, Name: "game", Description: "Number of the game, if it is not clear", Autocomplete: true}
	kinds := option{Type: text, Name: "game", Description: "Kind of game"}
	for _, v := range a.match.Variants() {
		kinds.Choices = append(kinds.Choices, choice{v.Name, v.Key})
	}
	person := option{Type: user, Name: "person", Description: "Whose; yours if left out"}
	days := option{Type: integer, Name: "days", Description: "Days for a move", Min: 1, Max: 14}
	options := map[string][]option{
		"challenge": {
			{Type: user, Name: "opponent", Description: "Whom; whoever joins first if left out"},
			kinds, days,
			{Type: text, Name: "colour", Description: "Your colour", Choices: []choice{{"white", "white"}, {"black", "black"}, {"random", "random"}}},
			{Type: boolean, Name: "rated", Description: "Whether it counts for ratings"},
		},
		"move":  {{Type: text, Name: "move", Description: "Such as Nf3 or R~Bd4", Required: true, Autocomplete: true}, game},
		"moves": {{Type: text, Name: "square", Description: "Of one square"}, game},
		"board": {
			game,
			{Type: integer, Name: "ply", Description: "After so many plies"},
			{Type: boolean, Name: "flip", Description: "From the other side"},
			{Type: boolean, Name: "zones", Description: "Show zones of influence"},
		},
		"games": {person}, "next": nil,
		"if":       {{Type: text, Name: "lines", Description: "if e5 then Nf3, if Nc6 then Bb5; or clear"}, game},
		"rules":    {kinds},
		"how":      {{Type: text, Name: "piece", Description: "A square, or a piece's letters or name", Required: true, Autocomplete: true}, game},
		"top":      {kinds, {Type: text, Name: "period", Description: "Since when", Choices: []choice{{"ever", "ever"}, {"week", "week"}, {"month", "month"}}}, {Type: text, Name: "scope", Description: "Where", Choices: []choice{{"server", "server"}, {"world", "world"}}}},
		"profile":  {person},
		"compare":  {{Type: user, Name: "person", Description: "With whom", Required: true}, {Type: user, Name: "other", Description: "Who else"}},
		"addtime":  {game, days},
		"vacation": {{Type: text, Name: "days", Description: "Such as 5d, or off"}},
		"settings": {
			{Type: boolean, Name: "here", Description: "The server's"}, {Type: text, Name: "name", Description: "Which"}, {Type: text, Name: "value", Description: "What it shall be"},
		},
		"block": {{Type: user, Name: "person", Description: "Whom", Required: true}}, "unblock": {{Type: user, Name: "person", Description: "Whom", Required: true}},
		"link": {{Type: text, Name: "code", Description: "From your other account"}},
		"help": {{Type: text, Name: "command", Description: "One command"}},
	}
	none := map[string]bool{"unlink": true, "mydata": true, "forgetme": true, "privacy": true, "status": true, "version": true}
	var all []command
	everywhere := []int{0, 1} // servers, and the bot's own private chats
	for _, c := range bot.Commands() {
		o, known := options[c.Name]
		if !known && !none[c.Name] {
			o = []option{game}
		}
		all = append(all, command{c.Name, slash, clip(c.Help, maxDescription), o, everywhere})
	}
	return append(all, command{Name: "Challenge to a game", Type: userMenu, Contexts: []int{0}})
}

// setCommands says which commands there are, where that has changed.
func (a *Adapter) setCommands(ctx context.Context, application string) error {
	all := a.commands()
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	now := hex.EncodeToString(sum[:])
	before, err := a.memory.Get(ctx, "commands/"+application)
	if err != nil || string(before) == now {
		return err
	}
	endpoint := discordgo.EndpointApplicationGlobalCommands(application)
	if _, err := a.rest.RequestRaw(http.MethodPut, endpoint, "application/json", data, endpoint, 0, discordgo.WithContext(ctx)); err != nil {
		return err
	}
	return a.memory.Put(ctx, "commands/"+application, []byte(now))
}
