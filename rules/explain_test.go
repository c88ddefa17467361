package rules_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
)

func TestAnIllegalMoveIsAnsweredWithWhatIsWrongAndWhatToWrite(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/answers.txt") {
		rulestest.Answered(t, position(t, r[0], r[1]), r[2], r[3])
	}
}

func TestPhonesBeginALineWithACapital(t *testing.T) {
	pos := position(t, "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
	if m, err := pos.Parse("Exd5"); err != nil || pos.Chat(m) != "exd5" {
		t.Errorf("Exd5 is %v, %v", m, err)
	}
}
