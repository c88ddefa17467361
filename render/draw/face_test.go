package draw

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

func TestTextIsCutToItsRoom(t *testing.T) {
	f := FaceOf(12, false)
	for _, s := range []string{"", "i", "short", strings.Repeat("W", 100), "日本", strings.Repeat("棋", 100), strings.Repeat("سارة ", 20), "\u202eevil\u202c", "a\u0301", "\ufdfa\ufdfa\ufdfa"} {
		if got := f.Fit(s, 40); f.Width(got) > 40 {
			t.Errorf("%q becomes %q, %.0f wide", s, got, f.Width(got))
		}
	}
	for text, want := range map[string]string{
		"\u202eevil\n\u200bx": "evil x",
		"𝕯𝖆𝖛𝖊 ｆｕｌｌ":           "Dave full",
		"e\u0301\u0332\u0333": "é",
		"🎉🎉 Zoë 🎉":            "Zoë",
		"🎉":                   "?",
		"दिव्या":              "?",
		"שרה":                 "הרש", // as it is written from left to right
	} {
		if got := f.Fit(text, 0); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

// FuzzNames writes any name in any room.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"alice", "日本の棋士", "سارة (1) abc", "שרה\u200f x", "\u202e𝕯\u0301\u0301🎉", "\xff\x00", "لا إله", "\u202e(ا)[ب]"} {
		f.Add(name, uint8(40))
	}
	f.Fuzz(func(t *testing.T, name string, room uint8) {
		face := FaceOf(12, room%2 == 0)
		written := face.Fit(name, float64(room))
		if wide := face.Width(written); room > 0 && wide > max(float64(room), face.Width("…")) {
			t.Errorf("%q is written %q, which is %.1f wide", name, written, wide)
		}
		face.Write(image.NewRGBA(image.Rect(0, 0, 360, 20)), color.Black, written, 0, 15)
	})
}
