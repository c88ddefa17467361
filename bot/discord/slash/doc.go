// Package slash is how the bot's commands stand in Discord's list: what people can fill in for
// them, what they type instead, and one put as the other.
package slash
