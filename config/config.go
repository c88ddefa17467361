// Package config is what an operator can set, by flags or environment.
package config

import "errors"

// Config is what every command that opens the database needs. Its tags are read
// by the command line.
type Config struct {
	Data string `env:"CHIMERA_DATA" default:"chimera.db" placeholder:"FILE" help:"Database file."`
}

// Validate says what is wrong with a Config.
func (c *Config) Validate() error {
	if c.Data == "" {
		return errors.New("the name of the database file is empty: set --data or CHIMERA_DATA")
	}
	return nil
}
