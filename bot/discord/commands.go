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

// command is one that people see when they write "/".
type command struct {
	Type        discordgo.ApplicationCommandType `json:"type"`
	Name        string                           `json:"name"`
	Description string                           `json:"description,omitempty"`
	Options     []field                          `json:"options,omitempty"`
	Contexts    []int                            `json:"contexts"`          // servers, and chats with the bot
	Installed   []int                            `json:"integration_types"` // in servers
}

// field is something that people fill in.
type field struct {
	Type        discordgo.ApplicationCommandOptionType `json:"type"`
	Name        string                                 `json:"name"`
	Description string                                 `json:"description"`
	Required    bool                                   `json:"required,omitempty"`
	Complete    bool                                   `json:"autocomplete,omitempty"`
	Choices     []choice                               `json:"choices,omitempty"`
	Least       *int                                   `json:"min_value,omitempty"`
	Most        *int                                   `json:"max_value,omitempty"`
	Longest     int                                    `json:"max_length,omitempty"`
	Fields      []field                                `json:"options,omitempty"`
}

// choice is something to fill in.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Names of fields.
const (
	fieldGame     = "game"
	fieldMove     = "move"
	fieldPiece    = "piece"
	fieldCommand  = "command"
	fieldOpponent = "opponent"
)

// menuChallenge is the command in the menu of a person.
const menuChallenge = "Challenge to a game"

// maxField is how long a field is that the bot reads, in characters of four bytes.
const maxField = 240

// commands are all there are.
func (a *Adapter) commands() []command {
	var all []command
	for _, c := range bot.Commands() {
		all = append(all, command{
			Type: discordgo.ChatApplicationCommand, Name: c.Name, Description: clip(c.Help, 100),
			Options: a.fields(c.Name), Contexts: []int{0, 1}, Installed: []int{0},
		})
	}
	return append(all, command{Type: discordgo.UserApplicationCommand, Name: menuChallenge, Contexts: []int{0, 1}, Installed: []int{0}})
}

// register says which commands there are, where that has changed.
func (a *Adapter) register(ctx context.Context, application string) {
	all := a.commands()
	text, err := json.Marshal(all)
	if err != nil {
		a.log.ErrorContext(ctx, "discord: commands not spelled", "err", err)
		return
	}
	sum := sha256.Sum256(text)
	now := hex.EncodeToString(sum[:])
	if a.recall(ctx, "commands/"+application) == now {
		return
	}
	const tries = 5
	for try := range tries {
		if err = a.call(ctx, http.MethodPut, "applications/"+application+"/commands", all, nil); err == nil {
			a.note(ctx, "commands/"+application, now)
			return
		}
		if status(err)/100 == 4 || pause(ctx, a.pace.retry<<try) != nil {
			break
		}
	}
	a.log.WarnContext(ctx, "discord: commands were not set", "err", a.clean(err))
}

// fields are what people can fill in for a command.
func (a *Adapter) fields(name string) []field {
	switch name {
	case "challenge":
		return []field{
			somebody(fieldOpponent, "whom; nobody for whoever joins first"),
			a.variants(fieldGame, "which game"),
			days("days", "for each move; 0 for no limit, unrated", 0),
			words("colour", "which you play", "white", "black", "random"),
			boolean("rated", "whether it counts for ratings"),
		}
	case "accept":
		return []field{suggested(fieldGame, "its number, such as #12, or the code of a challenge from elsewhere")}
	case "decline", "cancel", "resign", "abort", "draw", "claim", "takeback", "rematch", "fen", "score", "export", "replay":
		return []field{game()}
	case "follow", "unfollow":
		return []field{must(game())}
	case "move":
		return []field{must(suggested(fieldMove, "such as Nf3; choose one or write it")), game()}
	case "moves":
		return []field{text("square", "of the piece on this square alone, such as e2"), game()}
	case "board":
		return []field{game(), whole("ply", "after so many plies"), boolean("flip", "seen from the other side"), boolean("zones", "with lent powers marked")}
	case "games", "next", "profile":
		return []field{somebody("person", "whose; yours if nobody's")}
	case "compare":
		return []field{must(somebody("person", "whom")), somebody("other", "with whom; you if nobody")}
	case "block", "unblock":
		return []field{must(somebody("person", "whom"))}
	case "if":
		return []field{text("lines", "if e5 then Nf3, if Nc6 then Bb5; or: clear"), game()}
	case "rules":
		return []field{a.variants(fieldGame, "which game")}
	case "how":
		return []field{must(suggested(fieldPiece, "a square such as e2, or a piece")), suggested(fieldGame, "a game of yours, or a kind of game")}
	case "top":
		return []field{
			a.variants(fieldGame, "of one game alone"),
			words("period", "since when, or what else to count", "week", "month", "ever", "games", "streak", "combiner"),
			words("scope", "where", "server", "world"),
			text("month", "a month that has ended, such as 2026-10"),
		}
	case "addtime":
		return []field{game(), days("days", "how many", 1)}
	case "vacation":
		return []field{days("days", "for how long; 0 ends it", 0)}
	case "settings":
		return settingsFields()
	case "link":
		return []field{text("code", "that you were given on the other platform; or a challenge, such as #12, to get its code")}
	case "help":
		return []field{suggested(fieldCommand, "about one command")}
	}
	return nil
}

// settingsFields are the two kinds of settings: a person's and a server's.
func settingsFields() []field {
	of := func(name, about, value string, names ...string) field {
		return field{Type: discordgo.ApplicationCommandOptionSubCommand, Name: name, Description: about, Fields: []field{
			words("name", "which; none to see all", names...), text("value", value),
		}}
	}
	mine, here := bot.SettingNames()
	server := of("server", "what its managers choose for a server", "what it shall be, or which game to annul", here...)
	server.Fields = append(server.Fields, somebody("person", "whom to hide, or to show again"))
	return []field{of("mine", "what you choose for yourself", "what it shall be", mine...), server}
}

func game() field { return suggested(fieldGame, "its number, such as #12") }

func must(f field) field {
	f.Required = true
	return f
}

func text(name, about string) field {
	return field{Type: discordgo.ApplicationCommandOptionString, Name: name, Description: about, Longest: maxField}
}

func suggested(name, about string) field {
	f := text(name, about)
	f.Complete = true
	return f
}

func boolean(name, about string) field {
	return field{Type: discordgo.ApplicationCommandOptionBoolean, Name: name, Description: about}
}

func somebody(name, about string) field {
	return field{Type: discordgo.ApplicationCommandOptionUser, Name: name, Description: about}
}

func whole(name, about string) field {
	least, most := 0, 10000
	return field{Type: discordgo.ApplicationCommandOptionInteger, Name: name, Description: about, Least: &least, Most: &most}
}

func days(name, about string, least int) field {
	f := whole(name, about)
	const most = 14
	*f.Least, *f.Most = least, most
	return f
}

func words(name, about string, all ...string) field {
	f := text(name, about)
	f.Longest = 0
	const most = 25
	for _, w := range all[:min(len(all), most)] {
		f.Choices = append(f.Choices, choice{w, w})
	}
	return f
}

// variants lets one of the games be chosen; where there are more than Discord can list,
// its name must be written.
func (a *Adapter) variants(name, about string) field {
	f := text(name, about)
	const most = 25
	for _, v := range a.services.Games.Variants() {
		f.Choices = append(f.Choices, choice{v.Name, v.Key})
	}
	if len(f.Choices) > most {
		f.Choices = nil
		return f
	}
	f.Longest = 0
	return f
}
