package render

import (
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/sample"
)

func TestLessonsAreStripsBelowEverything(t *testing.T) {
	d := sample.Taught(t)["legend-new"]
	whole := newScene(&d, DefaultSize)
	d.Legend = append(d.Legend, diagram.Lesson{Name: "Another"})
	more := newScene(&d, DefaultSize)
	d.Legend = nil
	bare := newScene(&d, DefaultSize)
	if whole.width != bare.width || whole.height <= bare.height || more.height <= whole.height {
		t.Errorf("without lessons the picture is %d×%d, with one %d×%d, with two %d×%d",
			bare.width, bare.height, whole.width, whole.height, more.width, more.height)
	}
	last := whole.slots[len(whole.slots)-1]
	if _, ok := last.part.(*lesson); !ok || last.y != bare.height || last.y+last.height != whole.height || last.width != whole.width {
		t.Errorf("the lesson is at %v in a picture %d×%d", last.area(), whole.width, whole.height)
	}
}

// TestLessonsFitTheirStrips lays lessons out on boards of all widths.
func TestLessonsFitTheirStrips(t *testing.T) {
	for name, d := range sample.Taught(t) {
		for _, size := range []int{MinSize, Small, DefaultSize} {
			unit := float64(size) / legendUnits
			width := float64(newScene(&d, size).width) / unit
			face := draw.NewFace(lineStyle.size*unit, false)
			for i := range d.Legend {
				l := newLesson(&d, &d.Legend[i], width, unit)
				if got := strings.Join(l.lines, " "); got != d.Legend[i].Line {
					t.Errorf("%s: the lines are %q, want %q", name, got, d.Legend[i].Line)
				}
				for _, line := range l.lines {
					if end := l.left + face.Width(line)/unit; end > width {
						t.Errorf("%s at %d: %q ends at %.0f of %.0f", name, size, line, end, width)
					}
				}
				for _, c := range l.signs {
					if c.y+lessonSign > l.high || c.x+lessonSign > width {
						t.Errorf("%s at %d: the sign of %q is at %.0f, %.0f in %.0f×%.0f", name, size, c.means, c.x, c.y, width, l.high)
					}
				}
			}
		}
	}
}

func TestLessonsThatDifferHaveSpritesOfTheirOwn(t *testing.T) {
	d := sample.Taught(t)["legend-card"]
	keys := map[string]bool{}
	for _, change := range []func(*diagram.Lesson){
		func(*diagram.Lesson) {},
		func(l *diagram.Lesson) { l.Name = "Admiral" },
		func(l *diagram.Lesson) { l.Line = "It moves." },
		func(l *diagram.Lesson) { l.Piece.White-- },
		func(l *diagram.Lesson) { l.Signs = l.Signs[1:] },
		func(l *diagram.Lesson) { l.Signs = []diagram.Sign{{Mark: diagram.Mark{Kind: diagram.Takes}}} },
		func(l *diagram.Lesson) { l.Signs = []diagram.Sign{{Mark: diagram.Mark{Kind: diagram.Ranged}}} },
	} {
		l := d.Legend[0]
		change(&l)
		keys[newLesson(&d, &l, legendUnits, 1).key()] = true
	}
	if len(keys) != 7 {
		t.Errorf("7 lessons have %d keys", len(keys))
	}
}

func TestALongNameInALessonIsCut(t *testing.T) {
	d := sample.Taught(t)["legend-card"]
	d.Legend = []diagram.Lesson{{Name: strings.Repeat("Admiral of the fleet ", 9), Line: "It moves."}}
	if file := string(drawing(t, d, DefaultSize)); !strings.Contains(file, "…</text>") {
		t.Error("it is written whole, beyond the picture")
	}
}
