package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules/phrase"
	"chimera/storage"
)

// coursesPage is where people choose a course, or the game of their puzzles.
type coursesPage struct {
	page
	Courses []bot.Course
	Puzzles bool
	Rated   *storage.Standing // at puzzles
}

// studyPage is a lesson or a puzzle.
type studyPage struct {
	page
	*bot.Study
	kind, name string // of the exercise

	Right bool   // the visitor's own move was right just now
	Row   int    // how many days in a row the visitor has solved the puzzle of the day, if it is that
	Strip string // their result as a text to pass on; "" while it is open
}

// coursesWith shows what can be learnt or solved, together with the answers to what the visitor did.
func (s *Site) coursesWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) (err error) {
	puzzles := !strings.HasPrefix(r.URL.Path, learnPath)
	p := coursesPage{page: s.titled(r, words.Either(puzzles, "puzzles", "learn")), Puzzles: puzzles}
	p.Notes, p.Rated = notes, &p.asker.Me.Training.Standing
	if p.Courses, err = s.bot.Courses(r.Context(), p.asker.Msg); err != nil {
		return err
	}
	return show(w, status, "courses", p)
}

const learnPath, puzzlePath, dailyPath = "/learn", "/puzzle", "/daily"

// lesson shows a lesson, solved if it is the one that the visitor has just solved.
func (s *Site) lesson(w http.ResponseWriter, r *http.Request) error {
	n, _ := strconv.Atoi(r.PathValue("n")) // 0 is no lesson
	return s.study(w, r, s.bot.Training.AsLeft(new(s.page(r).asker.Me), r.PathValue("game"), n-1), "")
}

// puzzle shows the visitor's current puzzle of a game, or else a new one.
func (s *Site) puzzle(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("game")
	if s.page(r).asker.Me.ID != 0 && s.bot.Games.Variant(key) != nil {
		return s.study(w, r, "", "puzzle "+key)
	}
	return s.study(w, r, "puzzle 0 - "+key+" -", "")
}

// daily shows the puzzle of the day, with its solution if it is over for the visitor.
func (s *Site) daily(w http.ResponseWriter, r *http.Request) error {
	press, err := s.bot.Training.OnItsDay(r.Context(), s.page(r).asker.Me.ID)
	if err != nil {
		return err
	}
	return s.study(w, r, press, "")
}

// tries carries out a form on one of these pages: it presses a button, or tries a move that was typed.
func (s *Site) tries(w http.ResponseWriter, r *http.Request) error {
	press, text := r.PostFormValue("press"), strings.Join(strings.Fields(r.PostFormValue("text")), "")
	if at := strings.SplitN(r.PostFormValue("at"), " ", 2); press == "" && text != "" && len(at) == 2 {
		press = at[0] + "-try 0 - " + at[1] + " " + text
	}
	return s.study(w, r, press, "")
}

// study carries out a press or a text, and shows the exercise that it leads to; one at another address, or a game, by a
// redirect.
func (s *Site) study(w http.ResponseWriter, r *http.Request, press, text string) error {
	m, known := s.visitor(r)
	m.Press, m.Text = press, text
	if r.Method == http.MethodPost {
		m.ID = once(r, m)
	}
	study, notes, err := s.bot.Study(r.Context(), m)
	if err != nil {
		return err
	}
	if id := begun(notes); id != 0 {
		return seeOther(w, r, s.GamePath(id))
	}
	switch {
	case study == nil && r.Method == http.MethodGet:
		return bot.ErrNothing
	case study == nil && !known && len(notes) == 0:
		return s.startWith(w, r, http.StatusForbidden, nil)
	case study == nil:
		return s.coursesWith(w, r, http.StatusOK, notes)
	}
	p := studyPage{page: s.page(r), Study: study}
	p.kind, p.name, _ = strings.Cut(p.Name, " ")
	p.Right = p.Own && !p.Missed && r.Method == http.MethodPost
	own, key := exercisePath(p.Name), "puzzle-title"
	switch {
	case study.Lessons > 0:
		key = "lesson-title"
	case study.Found.Number > 0:
		key = "daily-title"
		p.Row = study.Found.Row(study.Found.Number)
		if study.Found.Over() { // it does not help others to solve it
			signs := strings.NewReplacer("0", "🟩", "1", "🟨", "2", "🟥🟩", "3", "⬛")
			p.Strip = fmt.Sprintf("Chimera · %s · %s\n%s\n%s%s", p.Called, p.Day, signs.Replace(study.Found.Marks), s.base(r), dailyPath)
		}
	}
	if p.Path != own {
		return seeOther(w, r, own)
	}
	p.Title = book.Say(key, "game", study.Called, "n", study.Number, "all", study.Lessons).Text(p.Language)
	return show(w, http.StatusOK, "study", p)
}

// exercisePath is the path of the page of an exercise that is named as in [message.Exercise].
func exercisePath(name string) string {
	words := strings.Fields(name)
	switch kind, game := words[0], words[1]; kind {
	case "lesson":
		n, _ := strconv.Atoi(words[2])
		return fmt.Sprintf("%s/%s/%d", learnPath, game, n+1)
	case "puzzle":
		return puzzlePath + "/" + game
	}
	return dailyPath
}

// Asks are the text of a lesson and its last sentence, which tells what to do.
func (p studyPage) Asks() [2]string { return lastApart(p.Task.Plain()) }

// lastApart splits a text before its last sentence.
func lastApart(text string) [2]string {
	at := strings.LastIndex(text, ". ") + 1
	return [2]string{text[:at], text[at:]}
}

// Press is the press that tries a move; {move} stands for that.
func (p studyPage) Press() string { return p.kind + "-try 0 - " + p.name + " {move}" }

// After is the path of the pictures of positions after moves.
func (p studyPage) After() string { return "/tried/" + url.PathEscape(p.Name) + "/" }

// Hint is the press of the next of three hints; "" if there is none.
func (p studyPage) Hint() string {
	for _, b := range p.Note.Buttons {
		if slices.Contains([]string{p.kind + "-hint", p.kind + "-piece", p.kind + "-tell", p.kind + "-move"}, message.VerbOf(b.Do)) {
			return b.Do
		}
	}
	return ""
}

// Hints is how many hints were given.
func (p studyPage) Hints() int {
	_, act, _ := strings.Cut(strings.Fields(p.Hint() + " none-none")[0], "-")
	return map[string]int{"hint": 0, "piece": 1, "tell": 2, "move": 2, "none": 3}[act]
}

// Again is the press that shows the exercise from its beginning.
func (p studyPage) Again() string {
	return words.Either(p.Lessons > 0, fmt.Sprintf("lesson 0 - %s %d", p.Kind, p.Number-1), fmt.Sprintf("%s-at 0 - %s %d 0", p.kind, p.Kind, p.Number-1))
}

// Shows is the press that shows the solution.
func (p studyPage) Shows() string { return p.kind + "-move 0 - " + p.name }

// metPiece is what is told of a piece that somebody touches.
type metPiece struct {
	*bot.Met
	Language phrase.Language
}

// tried draws the position after a move in an exercise; for a square, it tells of its piece.
func (s *Site) tried(w http.ResponseWriter, r *http.Request) error {
	l, _ := phrase.Match(language(r))
	if met := s.bot.Met(s.bot.Training.Position(strings.Fields(r.PathValue("name"))), r.PathValue("move")); met != nil {
		return show(w, http.StatusOK, "met", metPiece{met, l})
	}
	m, _ := s.visitor(r)
	d := s.bot.Tried(r.Context(), m, r.PathValue("name"), r.PathValue("move"))
	if d == nil {
		return bot.ErrNothing
	}
	return sendDrawing(w, "private, max-age=86400", *d, render.DefaultSize, l)
}
