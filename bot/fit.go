package bot

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf16"
)

// Length is how long platforms find a text: they count UTF-16 units.
func Length(text string) int { return len(utf16.Encode([]rune(text))) }

// Clip is a text of at most so many of those.
func Clip(text string, most int) string {
	if Length(text) <= most {
		return text
	}
	n := 0
	for i, c := range text {
		if n += utf16.RuneLen(c); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Digest tells things that are remembered apart without keeping them.
func Digest(thing []byte) string {
	sum := sha256.Sum256(thing)
	return hex.EncodeToString(sum[:])
}
