package training

import (
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// withPuzzles is chess with the puzzles of a text.
func withPuzzles(t *testing.T, text string) *rules.Variant {
	t.Helper()
	v := *rules.Find(variants.All(), "chess")
	v.Puzzles = text
	return &v
}

const two = `# remarks
3q4/5Nkp/8/8/8/8/5PPP/6K1 w - - 0 1 ; f7d8 ; gain ; 1
6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1 ; d1d8 ; mate ; 2
6k1/3r1ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1 ; a1a8 d7d8 a8d8 ; mate ; 3
`

func judged(t *testing.T, task *Task, text string) Judged {
	t.Helper()
	m, err := task.Position().Parse(text)
	kvtest.Must(t, err)
	return task.Judge(m)
}

func TestATaskJudgesMoves(t *testing.T) {
	v := withPuzzles(t, two)
	task := New(nil, []*rules.Variant{v}, nil).Task(v, 2, 0)
	for text, want := range map[string]string{"Ra8": "right", "Ra7": "near", "h3": "wrong"} {
		if j := judged(t, task, text); (j.Next != nil) != (want == "right") || j.Near != (want == "near") || j.Solved {
			t.Errorf("%s is %+v, want %s and not solved", text, j, want)
		}
	}
	j := judged(t, task, "Ra8+")
	if j.Reply != "Rd8" || j.Next == nil || j.Next.turn != 1 {
		t.Fatalf("the first of two moves gives %+v", j)
	}
	if j := judged(t, j.Next, "Rxd8"); !j.Solved {
		t.Errorf("the last gives %+v", j)
	}
	if got := task.Solution().In(phrase.English).Plain(); got != "1. Ra8+ Rd8 2. Rxd8#" {
		t.Errorf("the solution is %q", got)
	}
	if got := task.Asks().In(phrase.English).Plain(); got != "White to move and win." {
		t.Errorf("it asks %q", got)
	}
}

func TestEachPuzzleHasItsDayBeforeAnyHasASecond(t *testing.T) {
	v := withPuzzles(t, two)
	c := New(nil, []*rules.Variant{v}, nil)
	for _, first := range []int64{-4, 0, 20_000} {
		seen := map[int]bool{}
		for day := first; day < first+3; day++ {
			seen[c.Daily(day, v).number] = true
		}
		if len(seen) != 3 {
			t.Errorf("from day %d, three days show %v", first, seen)
		}
	}
	if v := withPuzzles(t, ""); New(nil, []*rules.Variant{v}, nil).Daily(1, v) != nil {
		t.Error("a game without puzzles has one of the day")
	}
}

func TestAPuzzleThatIsWithdrawnIsGivenToNobody(t *testing.T) {
	v := withPuzzles(t, strings.Replace(two, "mate ; 2", "mate ; 2 ; withdrawn", 1))
	c := New(nil, []*rules.Variant{v}, nil)
	for day := range int64(6) {
		if n := c.Daily(day, v).number; n == 1 {
			t.Errorf("it is the puzzle of day %d", day)
		}
	}
	for id := range storage.PersonID(20) {
		if n := c.Choose(&storage.Person{ID: id}, v, ""); n == 1 {
			t.Errorf("user %d gets it", id)
		}
	}
	if task := c.Task(v, 1, 0); task == nil || c.Task(v, 2, 0) == nil || c.Count(v) != 2 {
		t.Error("who has it open has lost it, or others have changed their numbers")
	}
}
