package render

import (
	"image"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/sample"
	"chimera/rules/phrase"
)

func TestLessonsAreStripsBelowEverything(t *testing.T) {
	d := sample.Taught(t)["legend-new"]
	whole := newScene(&d, DefaultSize, false)
	d.Legend = append(d.Legend, diagram.Lesson{Name: phrase.As("Another")})
	more := newScene(&d, DefaultSize, false)
	d.Legend = nil
	bare := newScene(&d, DefaultSize, false)
	if whole.width != bare.width || whole.height <= bare.height || more.height <= whole.height {
		t.Errorf("without lessons the picture is %d×%d, with one %d×%d, with two %d×%d",
			bare.width, bare.height, whole.width, whole.height, more.width, more.height)
	}
	last := whole.areas[len(whole.areas)-1]
	if want := image.Rect(0, bare.height, whole.width, whole.height); last.part == nil || last.Rectangle != want {
		t.Errorf("the lesson is at %v in a picture %d×%d", last.Rectangle, whole.width, whole.height)
	}
}

// TestLessonsFitTheirStrips lays lessons out on boards of all widths.
func TestLessonsFitTheirStrips(t *testing.T) {
	for name, d := range sample.Taught(t) {
		for _, size := range []int{MinSize, Small, DefaultSize} {
			unit := float64(size) / legendUnits
			width := float64(newScene(&d, size, false).width) / unit
			face := draw.FaceOf(lineStyle(0).Size*unit, false)
			for i := range d.Legend {
				l := newLesson(&d, &d.Legend[i], width, unit)
				if got, want := strings.Join(l.lines, " "), d.Legend[i].Line.String(); got != want {
					t.Errorf("%s: the lines are %q, want %q", name, got, want)
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

func TestALongNameInALessonIsCut(t *testing.T) {
	d := sample.Taught(t)["legend-card"]
	d.Legend = []diagram.Lesson{{Name: phrase.As(strings.Repeat("Admiral of the fleet ", 9)), Line: phrase.As("It moves.")}}
	if file := string(drawing(t, d, DefaultSize)); !strings.Contains(file, "…</text>") {
		t.Error("it is written whole, beyond the picture")
	}
}
