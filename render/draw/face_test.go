package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"chimera/render/internal/golden"
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
		"🎉👍🏽":                 "☺",
		"दि\u0301\u0301व्या":  "दिव्या",
		"𐎠𐎡 x":                "? x",
	} {
		if got := f.Fit(text, 0); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func TestNamesAreDrawnInAllScripts(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 470, 510))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for i, name := range []string{
		"Иван Петров", "Ἀλέξανδρος", "محمد علي (12) x", "שרה לוי", "दिव्या शर्मा", "বাংলা নাম", "தமிழ் பெயர்", "สมชาย ใจดี", "李小龍 围棋",
		"山田 さくら", "김철수 이영희", "ქართული", "Nguyễn Ảnh", "🎉 Zoë 🎉 ★♞", "👍🏽",
	} {
		x, y := 10., float64(34*i+26)
		for _, f := range []*Face{FaceOf(10.5, false), FaceOf(13.5, true), FaceOf(27, true)} {
			f.Write(m, color.NRGBA{A: 0xff}, f.Fit(name, 0), x, y)
			x += f.Width(f.Fit(name, 0)) + 15
		}
	}
	var picture bytes.Buffer
	golden.Must(t, png.Encode(&picture, m))
	golden.Compare(t, "names", picture.Bytes())
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
		face.Write(image.NewRGBA(image.Rect(0, 0, 360, 20)), color.NRGBA{A: 0xff}, written, 0, 15)
	})
}
