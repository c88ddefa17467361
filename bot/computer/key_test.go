package computer

import (
	"testing"

	"chimera/rules"
	"chimera/rules/variants"
)

// TestTheKeyMoveOfAGame expects the move that won most for good or made the most valuable piece, never the last move.
func TestTheKeyMoveOfAGame(t *testing.T) {
	both, white := [2]bool{true, true}, [2]bool{true, false}
	for _, c := range []struct {
		name, kind string
		moves      []string
		of         [2]bool
		want       string // "" for none
	}{
		{"a pawn is not enough", "chess", []string{"e4", "d5", "exd5", "Nf6", "a3"}, both, ""},
		{"an exchange wins nothing", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "a3"}, both, ""},
		{"what is not taken back", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "h6", "a3"}, both, "Bxc6"},
		{"of one side alone", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Nxe5", "Nxe5", "a3", "a6"}, white, ""},
		{"of either side", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Nxe5", "Nxe5", "a3", "a6"}, both, "Nxe5"},
		{"the last of several", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "h6", "Bxb7", "h5", "Bxa8", "h4", "a3"}, both, "Bxa8"},
		{"not the last move", "chess", []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6"}, both, ""},
		{"a piece of two", "combine", []string{"e4", "e5", "R~Nb1", "Nc6", "a3"}, both, "R~Nb1"},
		{"a promotion", "chess", []string{"a4", "b5", "axb5", "a6", "bxa6", "Nc6", "a7", "Rb8", "a8=Q", "h6", "h3"}, both, "a8=Q"},
		{"a queen before a piece of two", "chess", []string{"e4", "d5", "Qg4", "Bxg4", "a3", "Bd1", "h3"}, both, "Bxg4"},
		{"no moves", "chess", nil, both, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := written(t, rules.Find(variants.All(), c.kind), c.moves...)
			got := ""
			if ply, ok := Key(r.games, r.moves, c.of); ok {
				got = c.moves[ply]
			}
			if got != c.want {
				t.Errorf("it is remembered by %q, want %q", got, c.want)
			}
		})
	}
}

func TestTheTurningPointThatChangedMost(t *testing.T) {
	white, err := rules.Find(variants.All(), "chess").Position("")
	must(t, err)
	black, err := white.Play(white.Moves()[0])
	must(t, err)
	s := &Story{TurningPoints: []TurningPoint{{Ply: 1, Before: black, Could: .6, Became: .4}, {Ply: 5, Before: black, Could: .9, Became: .1}, {Ply: 8, Before: white, Could: .5, Became: .2}}}
	for of, want := range map[[2]bool]int{{true, true}: 5, {true, false}: 8} {
		if m := s.Turning(of); m == nil || m.Ply != want {
			t.Errorf("of %v it is %+v", of, m)
		}
	}
	if m := new(Story).Turning([2]bool{true, true}); m != nil {
		t.Errorf("where nothing decided the game, it is %+v", m)
	}
}
