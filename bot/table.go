package bot

// commands are all there are. Handlers know them by their Bot: they stand here themselves.
var commands = allCommands() //nolint:gochecknoglobals // never written

// Commands are all there are, in the order in which help shows them.
func Commands() Table { return commands }

// IsCommand reports whether a word is the name of a command.
func IsCommand(word string) bool { return commands.find(word) != nil }

// CommandNamed is the command of a name; one without a name if there is none.
func CommandNamed(name string) Command {
	if c := commands.find(name); c != nil {
		return *c
	}
	return Command{}
}

// CommandIn is the command in a message; one without a name if there is none. The answer to it
// is not WhoIsNamed's: somebody is named in the text, or nobody is.
func CommandIn(m *Message) Command {
	said := m.reading(commands)
	if said.command == nil || said.fault != nil {
		return Command{}
	}
	c := *said.command
	switch {
	case c.Whose == WhoIsNamed && len(said.args) > 0:
		c.Whose = Everybody
	case c.Whose == WhoIsNamed:
		c.Whose = Asker
	}
	return c
}
