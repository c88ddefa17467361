package bot

import (
	"bytes"
	"strconv"

	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// moment is what is special in a game: a move, and a part of the board around it.
type moment struct{ fen, move, from, to string }

// moments are those of games, by key. Of a game without one its start is shown.
var moments = map[string]moment{ //nolint:gochecknoglobals // never written
	"combine":      {"4k3/5ppp/8/8/8/8/1PP2P2/2RNBK2 w - - 0 1", "c1~d1", "b1", "f2"},
	"combine-free": {"4k3/5ppp/8/8/8/8/1P3P2/2BR2K1 w - - 0 1", "d1+c1~d2", "b1", "f2"},
	"knightmare":   {"4k3/5ppp/8/8/8/8/1P1r1P2/1NB2K2 w - - 0 1 -", "c1d2", "b1", "f2"},
	"stealth":      {"4k3/5ppp/8/8/8/8/1P3P2/[RRR]1nb1K2 w - - 0 1", "a1d1xc1", "b1", "f2"},
	"brigade":      {"4k3/5ppp/8/8/8/8/1P1n1P2/2B1QK2 w - - 0 1", "c1c1xd2", "b1", "f2"},
	"combination":  {"", "", "b2", "f3"},
	"chess":        {"r3k3/pp3p2/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7", "a7", "e8"},
}

// Shown is a drawing of a "move" that is special in a game, of what its first "lesson" begins with, or of its
// puzzle of a number, or a piece by its code; or of "face" one of the computer's characters; nil if there is no such thing.
func (b *Bot) Shown(game, what string, theme diagram.Theme) ([]byte, error) {
	if face := diagram.FaceOf(what, rules.White); game == "face" && face != (rules.Piece{}) {
		return drawAlone(diagram.Faces(), face, theme)
	}
	v := b.Games.Variant(game)
	if v == nil {
		return nil, nil
	}
	var m moment
	switch what {
	case "move":
		m = moments[v.Key]
	case "lesson":
		m.fen = v.Course[0].FEN
	default:
		if p := pieceOf(v, what); p != (rules.Piece{}) {
			return drawAlone(v.Table, p, theme)
		}
		n, err := strconv.Atoi(what)
		task := b.Training.Task(v, n-1, 0)
		if err != nil || task == nil {
			return nil, nil //nolint:nilerr // no number is that of no puzzle
		}
		m.fen = task.Position().FEN()
	}
	return drawMoment(v, m, theme)
}

// drawAlone draws a piece on a square of its own.
func drawAlone(t rules.Table, p rules.Piece, theme diagram.Theme) ([]byte, error) {
	var picture bytes.Buffer
	err := render.SVG(&picture, diagram.Diagram{Table: t, Theme: theme}.Alone(diagram.Sign{Piece: p}), render.MinSize, phrase.English)
	return picture.Bytes(), err
}

func drawMoment(v *rules.Variant, m moment, theme diagram.Theme) ([]byte, error) {
	pos, err := v.Position(m.fen)
	if err != nil {
		return nil, err
	}
	var did []rules.Effect
	if m.move != "" {
		move, err := pos.Parse(m.move)
		if err != nil {
			return nil, err
		}
		did = pos.Effects(move)
		if pos, err = pos.Play(move); err != nil {
			return nil, err
		}
	}
	d := diagram.Of(pos, did, rules.White).ShowZones(pos.Influences())
	if m.from == "" {
		d = diagram.Of(pos, nil, pos.Turn())
	}
	d.Theme = theme
	from, to := v.Shape.Parse(m.from), v.Shape.Parse(m.to)
	var picture bytes.Buffer
	err = render.Detail(&picture, d, from, to)
	return picture.Bytes(), err
}
