package discord

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/message"
)

// The most rows of a message, and the most buttons of a row.
const (
	maxRows = 5
	perRow  = 5
)

// The most choices that are buttons, without and with a description; more of them stand in menus.
const (
	fewChoices = 10
	fewTold    = 5
)

// menus takes the choices from among buttons if there are too many, and makes menus of them.
func menus(ctx context.Context, buttons []message.Button, pack packer) (all []discordgo.ActionsRow, rest []message.Button, err error) {
	const most = 25 // of a menu
	isChoice := func(b message.Button) bool { return b.Choice }
	choices := slices.DeleteFunc(slices.Clone(buttons), func(b message.Button) bool { return !isChoice(b) })
	told := slices.ContainsFunc(choices, func(b message.Button) bool { return b.About != "" })
	if len(choices) <= fewTold || len(choices) <= fewChoices && !told {
		return nil, buttons, nil
	}
	for some := range slices.Chunk(choices, most) {
		menu := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: fmt.Sprint("choose ", len(all))}
		for _, b := range some {
			value, err := pack(ctx, b.Do, maxData)
			if err != nil {
				return nil, nil, err
			}
			menu.Options = append(menu.Options, discordgo.SelectMenuOption{
				Label: cmp.Or(adapter.Clip(b.Label, maxOption), "·"), Value: value, Description: adapter.Clip(b.About, maxOption),
			})
		}
		all = append(all, discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}})
	}
	return all, slices.DeleteFunc(slices.Clone(buttons), isChoice), nil
}

// rowsOf lays buttons out. Those that lead to other pages stand in a row of their own.
func rowsOf(ctx context.Context, buttons []message.Button, pack packer) ([]discordgo.ActionsRow, error) {
	lists, buttons, err := menus(ctx, buttons, pack)
	if err != nil {
		return nil, err
	}
	rows := append([]discordgo.ActionsRow{}, lists...)
	seen := map[string]bool{}
	turning := false
	for _, b := range buttons {
		data, err := b.Opens, error(nil)
		if data == "" {
			data, err = pack(ctx, b.Do, maxData)
		}
		if err != nil {
			return nil, err
		}
		if data == "" || seen[data] {
			continue // no two of a message may be the same
		}
		seen[data] = true
		last := len(rows) - 1
		if last < len(lists) || len(rows[last].Components) == perRow || b.Turns && !turning && len(rows) < maxRows {
			if len(rows) == maxRows {
				break
			}
			rows = append(rows, discordgo.ActionsRow{})
			last++
		}
		turning = b.Turns
		if b.Opens != "" {
			rows[last].Components = append(rows[last].Components, discordgo.Button{Style: discordgo.LinkButton, Label: adapter.Clip(b.Label, maxLabel), URL: b.Opens})
			continue
		}
		rows[last].Components = append(rows[last].Components, discordgo.Button{
			Style: style(b), Label: cmp.Or(adapter.Clip(b.Label, maxLabel), "·"), CustomID: data,
		})
	}
	return rows, nil
}

// style is how a button looks, by what it does.
func style(b message.Button) discordgo.ButtonStyle {
	switch verb := verbOf(b.Do); {
	case b.Turns:
		return discordgo.SecondaryButton
	case verb == "resign":
		return discordgo.DangerButton
	case verb == "play", verb == "join", verb == "rematch", verb == "claim", strings.HasPrefix(verb, "agree-"), strings.HasSuffix(verb, "-yes"), strings.HasSuffix(b.Do, " - - 0"):
		return discordgo.PrimaryButton
	}
	return discordgo.SecondaryButton
}
