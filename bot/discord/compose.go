package discord

import (
	"chimera/bot/message"
	"chimera/bot/words"
)

// compose is a command that was filled in, as people type it, with the people it names.
func compose(i *interaction) (string, map[string]message.Account) {
	named := map[string]message.Account{}
	for id, u := range i.Data.Resolved.Users {
		if u != nil && areIDs(u.ID) {
			named["<@"+id+">"] = person(u)
		}
	}
	if i.Data.Name == menuChallenge {
		return "challenge <@" + i.Data.TargetID + ">", named
	}
	return asTyped(i.Data.Name, i.Data.Options), named
}

// odd says what is wrong with a command as it was filled in, nothing if it is right.
func odd(i *interaction) words.Text {
	args, options, _ := filledFor(i.Data.Name, i.Data.Options)
	filled := map[string]string{}
	for _, o := range options {
		v, _ := o.Value.(string)
		filled[o.Name] = v
		if a := argumentOf(args, o); !namesGame(&a, v) {
			return say("number-of-game")
		}
	}
	_, value := filled["value"]
	if _, whom := filled["person"]; (value || whom && i.Data.Name == "settings") && filled["setting"] == "" {
		return say("name-of-setting")
	}
	return nil
}
