package bot

import "chimera/bot/ask"

// commands are all there are. Handlers, to which the table leads, know it by their Desk.
var commands = allCommands() //nolint:gochecknoglobals // never written

// Commands are all there are, in the order in which help shows them.
func Commands() ask.Table { return commands }

// IsCommand reports whether a word is the name of a command.
func IsCommand(word string) bool { return commands.Find(word) != nil }

// CommandNamed is the command of a name; one without a name if there is none.
func CommandNamed(name string) ask.Command {
	if c := commands.Find(name); c != nil {
		return *c
	}
	return ask.Command{}
}

// CommandIn is the command in a message; one without a name if there is none. The answer to it
// is not WhoIsNamed's: somebody is named in the text, or nobody is.
func CommandIn(m *ask.Message) ask.Command {
	said := m.Reading(commands)
	if said.Command == nil || said.Fault != nil {
		return ask.Command{}
	}
	c := *said.Command
	switch {
	case c.Whose == ask.WhoIsNamed && len(said.Args) > 0:
		c.Whose = ask.Everybody
	case c.Whose == ask.WhoIsNamed:
		c.Whose = ask.Asker
	}
	return c
}
