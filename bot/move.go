package bot

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

func move(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if r.Text == "" {
		return &message.Message{To: r.Me.ID, Text: words.Say("request.which-move"), Asks: true, About: cmp.Or(r.Game, r.Msg.ReplyTo)}, nil
	}
	study, err := b.openStudy(ctx, r)
	open, err2 := b.openDaily(ctx, r)
	switch err := cmp.Or(err, err2); {
	case err != nil:
		return nil, err
	case open != nil && !open.Solved() && (study == nil || open.Shown().After(study.Shown())):
		return b.orInGame(ctx, r)(open.Try(ctx, r.Text))
	case study != nil:
		return b.orInGame(ctx, r)(study.Try(ctx, r.Text))
	}
	id, err := b.meant(ctx, r, myTurn(r))
	switch {
	case errors.Is(err, errNoGame) && open != nil: // as when their answer comes again
		return open.Try(ctx, r.Text)
	case err != nil:
		return nil, b.orOver(ctx, r, err)
	}
	seen := r.Msg.Heard
	if r.View != nil {
		seen = &r.View.Game
	}
	d, err := b.Match.Move(ctx, r.by(), id, r.Text, seen)
	if no := (*match.Illegal)(nil); errors.As(err, &no) {
		return nil, illegal(b, r, id, no)
	}
	return r.done(d, err)
}

// orInGame offers to play a move that is wrong in a lesson or puzzle in the game that would otherwise be meant, if it
// is legal there.
func (b *Bot) orInGame(ctx context.Context, r Request) func(*message.Message, error) (*message.Message, error) {
	return func(said *message.Message, err error) (*message.Message, error) {
		if err != nil || said == nil || said.Exercise == nil || len(said.Exercise.Line) > 0 && !said.Exercise.Missed {
			return said, err
		}
		id, none := b.meant(ctx, r, myTurn(r))
		if none != nil {
			return said, nil
		}
		view, none := b.Games.LoadFor(ctx, r.by(), id, match.Latest)
		if none != nil || match.ToMove(&view.Game) != r.Me.ID {
			return said, nil
		}
		if m, illegal := view.Now.Position.Parse(r.Text); illegal == nil {
			said.Text = words.Of(said.Text, "\n", words.Say("request.play-in", "game", id))
			play := message.NewButton(words.Book().Say("label.play-in", "game", id), "play", id, strconv.Itoa(view.Ply), view.Variant.Coordinate(m))
			said.Buttons = append([]message.Button{play}, said.Buttons...)
		}
		return said, nil
	}
}

// illegal refuses a move: with similar legal moves, with the lesson that explains the rule unless the
// asker has done it, or with the way back to an exercise that they have left, if it is a move there.
func illegal(b *Bot, r Request, id storage.GameID, no *match.Illegal) *wordedRefusal {
	refused := &wordedRefusal{Text: words.Of(no.Phrase()), Why: no}
	back := r.Msg.Private || !r.Msg.Alone && r.Msg.ReplyTo == 0 && r.Msg.Heard == nil // otherwise the move would be for the game again
	if left := b.Training.Open(r.learner()); back && left != nil && !left.Solved() && left.Legal(r.Text) {
		_, inPuzzle := left.(*training.Attempt)
		refused.Text = words.Of(refused.Text, "\n", words.Say("request.go-back", "puzzle", inPuzzle))
		return refused
	}
	for _, text := range no.Close() {
		refused.Buttons = append(refused.Buttons, message.NewButton(phrase.As(text), "play", id, strconv.Itoa(no.Ply), text))
	}
	lead := no.Lead
	if lead.Number == 0 || len(no.Asked()) > 0 || no.Written != "" || r.Me.Studies.Done[lead.Variant.Key] >= lead.Number {
		return refused
	}
	refused.Text = words.Advised(refused.Text, lead)
	refused.Buttons = append(refused.Buttons, message.LeadButtons(lead)...)
	return refused
}

// bareText carries out a text that names no command: a move, or else what it most likely means.
func bareText(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if b.LooksLikeMove(r.Text) || b.LooksLikeMove(r.Args[0]) || joinForm.MatchString(r.Text) {
		return move(ctx, b, r)
	}
	if yes, ok := words.YesOrNo(r.Text); ok {
		return sayYesOrNo(ctx, b, r, yes)
	}
	wanted, acts := actWanted(r.Args[0])
	if !acts || !strings.ContainsAny(r.Text, "0123456789") {
		if said, err := b.talk(ctx, r); said != nil || err != nil {
			return said, err
		}
	}
	if acts {
		return wordMove(ctx, b, r, wanted)
	}
	if plain, l := words.Heard(r.Args[0]); plain == words.Greeting {
		return answerPlainly(ctx, b, &r, plain, l)
	}
	if variantNamed(b.Games.Variants(), r.Args...) != nil {
		return showRules(ctx, b, r)
	}
	if label := words.LabelCalled(r.Text); label != "" {
		return pressLabelled(ctx, b, r, label)
	}
	if late := b.verbLast(r); late != nil {
		return obey(ctx, b, *late)
	}
	mine := settingsOf(b, r, false)
	for n := range r.Args {
		said := settingFirst(r.Args[n:])
		i := find(mine, said[0])
		if i < 0 {
			continue
		}
		value := slices.DeleteFunc(words.Blunt(slices.Clone(said[1:])), words.IsFiller) // as in "to German"
		zone := words.Either(mine[i].Name == user.SetTimezone, zoneLike(strings.Join(said[1:], " ")), "")
		known := zone != "" || len(value) > 0 && slices.Contains(words.SettingValues(mine[i].Name, nil), readSetting(nil, append([]string{mine[i].Name}, value...))[1])
		if !known && (n > 0 || len(value) != 1) {
			r.Args = []string{mine[i].Name}
			return pickSetting("")(ctx, b, r)
		}
		r.Command, r.Args = b.Commands.Find("settings"), append([]string{mine[i].Name}, words.Either(zone == "", value, []string{zone})...)
		return r.Command.Run(ctx, b, r)
	}
	asked := r.Args
	for len(asked) > 1 && words.IsFiller(asked[0]) { // "dame" is Spanish for "give me", and German for a queen
		asked = asked[1:]
	}
	if slices.ContainsFunc(b.Games.Variants(), func(v *rules.Variant) bool { return piecesCalled(v, strings.Join(asked, " ")) != nil }) {
		return tellHow(ctx, b, r) // such as "what is a general"
	}
	return r.answer(words.Unknown(r.Text, nearestTo(b, r.Args))), nil
}

// pressLabelled presses the button with a label on the page that was shown last, or below the board that is answered.
func pressLabelled(ctx context.Context, b *Bot, r Request, label string) (*message.Message, error) {
	r.Msg.Press = words.Either(label == "more", b.BoardPress(ctx, r.Msg, words.Label("more").String()), "")
	turns, _ := b.turns.Get(r.Me.ID)
	if turn := first(turns, func(one *message.Button) bool { return words.LabelCalled(one.Label) == label }); turn != nil {
		r.Msg.Press = turn.Do
	}
	if r.Msg.Press == "" {
		return r.answer(words.Say("request.label", "label", words.Clip(r.Text))), nil
	}
	said, _, err := b.press(ctx, r)
	return said, err
}

// verbLast is a request whose command stands behind what it is about, as in "chess against the computer, play"; nil if it
// is none, or something is odd in it.
func (b *Bot) verbLast(r Request) *Request {
	typed := r.Args
	for i, w := range typed {
		r.Reading = b.read(strings.TrimRight(w, marks) + " " + strings.Join(slices.Concat(typed[:i], typed[i+1:]), " "))
		if b.intend(&r); r.Command == nil || r.Command.Odd == nil {
			continue
		}
		if said, fault := b.arguments(r); fault == nil && len(said) > 0 {
			return &r
		}
	}
	return nil
}

// nearestTo is the command that words, or one of them alone, look like, with the move that follows, if any; "" for
// none.
func nearestTo(b *Bot, typed []string) string {
	first, rest := strings.TrimPrefix(typed[0], "/"), strings.Join(typed[1:], " ")
	near := b.Commands.Nearest(first)
	for _, w := range typed[1:] {
		near = cmp.Or(near, b.Commands.Nearest(w))
	}
	return words.Either((near == "move" || strings.EqualFold(first, "m")) && b.LooksLikeMove(rest), "move "+rest, near)
}

// wordMove plays the one legal move that a word and squares tell, as in "merge a1 b1", or tells how each that fits is
// written.
func wordMove(ctx context.Context, b *Bot, r Request, wanted func(rules.Move) bool) (*message.Message, error) {
	view, err := b.toMoveIn(ctx, r)
	if err != nil {
		return nil, err
	}
	var squares []rules.Square
	vague := false // whether the words leave open something that squares would tell
	for _, word := range r.Args[1:] {
		switch sq := view.Variant.Shape.Parse(strings.ToLower(word)); {
		case sq != rules.NoSquare:
			squares = append(squares, sq)
		case strings.ContainsAny(word, "0123456789"):
			return r.answer(words.Say("show.no-square", "word", words.Clip(word))), nil
		case !slices.Contains([]string{"to", "on", "at", "from", "onto", "into"}, strings.ToLower(word)):
			vague = true // such as "and", which does not tell where pieces join
		}
	}
	pos := view.Now.Position
	var texts, ordered []string // ordered are those from the first square to the second
	moves := pos.Moves()
	for i, text := range pos.ChatTexts() {
		m := moves[i]
		touched := []rules.Square{m.From, m.To}
		touched = append(touched, words.If(m.Act == rules.Rally, m.With)...)
		if wanted(m) && !slices.ContainsFunc(squares, func(sq rules.Square) bool { return !slices.Contains(touched, sq) }) {
			texts = append(texts, text)
			ordered = append(ordered, words.If(len(squares) == 2 && m.From == squares[0] && m.To == squares[1], text)...)
		}
	}
	if len(ordered) == 1 && !vague {
		texts = ordered
	}
	if len(texts) != 1 || len(squares) == 0 || vague {
		return r.answer(words.WhichSo(r.Text, texts)), nil
	}
	r.Game, r.Args, r.Text = view.Game.ID, texts, texts[0]
	return move(ctx, b, r)
}

// pick shows the next choice: a piece, a target, or one of the moves to it.
func pick(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	shape, pos := r.View.Variant.Shape, r.View.Now.Position
	piece, target := shape.Parse(r.Args[0]), shape.Parse(r.Args[1])
	page, _ := strconv.Atoi(r.Args[2])
	said := message.Message{To: r.Me.ID, Text: words.Pick(shape, piece, target, words.Say("board.pick-piece", "game", words.Hash(r.View.Game.ID))), Step: true, Buttons: message.PickerOf(r.View, r.Me.Settings.Taps).Page(piece, target, page)}
	if piece != rules.NoSquare {
		setPicture(&said, r.View, diagram.Of(pos, r.View.Effects, pos.Turn()).ShowMoves(piece, pos.Moves()).ShowZones(pos.Influences()))
	}
	return &said, nil
}

// preview shows the position after a move, and asks whether it is meant.
func preview(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	view, coordinate := r.View, r.Args[0]
	pos := view.Now.Position
	m, err := pos.ParseCoordinate(coordinate)
	after, err2 := pos.Play(m)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	said := message.Message{
		To: r.Me.ID, Text: words.Say("board.preview", "move", pos.Chat(m), "did", pos.Variant().Describe(pos.Effects(m))), Step: true,
		Buttons: []message.Button{
			message.NewButton(words.Label("confirm"), "play", view.Game.ID, strconv.Itoa(view.Ply), coordinate),
			message.PickerOf(view, false).Before(m),
		},
	}
	setPicture(&said, view, diagram.Of(after, pos.Effects(m), pos.Turn()))
	return &said, nil
}

// hint helps in a game against the computer: first with the piece that moves, and with more whenever it is
// asked for again.
func hint(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, b.orOver(ctx, r, err)
	}
	if r.View, err = b.Games.LoadFor(ctx, r.by(), id, match.Latest); err != nil {
		return nil, err
	}
	if !r.View.Game.Practice() {
		return nil, &wordedRefusal{Text: words.Say("hint.between-people")}
	}
	r.Args = []string{strconv.Itoa(r.View.Game.Hinted)}
	return hintMore(ctx, b, r)
}

// hintMore tells more each time of the move that the computer would play: the piece, the move, and
// what it thinks of it. A game with its help does not count as beating it.
func hintMore(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	s := r.View
	if !s.Game.Practice() {
		return r.answer(words.Say("request.old-button")), nil
	}
	if err := r.may(mover); err != nil {
		return nil, err
	}
	found, err := b.Thinker.Advise(ctx, s.Now)
	if errors.Is(err, computer.ErrBusy) {
		return nil, &wordedRefusal{Text: words.Say("hint.busy")}
	}
	if err != nil {
		return nil, err
	}
	told, _ := strconv.Atoi(r.Args[0])
	if _, err := b.Match.Help(ctx, r.by(), s.Game.ID, min(told, 2)+1); err != nil {
		return nil, err
	}
	pos, m, ply := s.Now.Position, found.Move(), strconv.Itoa(s.Ply)
	more := func(told string) message.Button {
		return message.NewButton(words.Label("hint"), "hint-on", s.Game.ID, ply, told)
	}
	play := message.NewButton(phrase.As(pos.Chat(m)), "play", s.Game.ID, ply, s.Variant.Coordinate(m))
	said := message.Message{To: r.Me.ID, Step: true}
	loans := pos.Influences()
	for i := range loans { // not what the piece itself lends
		loans[i].On &= m.From.Set()
	}
	setPicture(&said, s, diagram.Of(pos, s.Effects, pos.Turn()).ShowMoves(m.From, words.If(told > 0, m)).ShowZones(loans))
	switch told {
	case 0:
		said.Text, said.Buttons = words.HintPiece(pos, m), []message.Button{message.MoveButton(words.Label("move"), s.Game.ID, s.Ply), more("1")}
	case 1:
		said.Text, said.Buttons = words.Say("hint.move", "move", pos.Chat(m), "did", pos.Variant().Describe(pos.Effects(m))), []message.Button{play, more("2")}
	default:
		why := computer.Why(ctx, s.Now, s.Effects, found, b.Thinker.Advise)
		said.Text, said.Buttons = words.HintWhy(s.Now, found, why), []message.Button{play}
	}
	return &said, nil
}

// learn goes on with the course that is named, or else the one begun last.
func learn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	v, step := b.Training.Begun(&r.Me), 0
	if last := len(r.Args) - 1; last >= 0 {
		if n, err := strconv.Atoi(r.Args[last]); err == nil {
			r.Args, step = r.Args[:last], n
		}
	}
	if len(r.Args) > 0 {
		all := b.Games.Variants()
		if v = variantNamed(all, r.Args...); v == nil {
			return r.answer(words.NoVariant("learn", r.Text, likelyVariants(all, r.Text), all)), nil
		}
	}
	if v == nil {
		return b.Training.ChooseCourse(r.learner()), nil
	}
	next := b.Training.NextLesson(r.learner(), v, step)
	if next == nil {
		return r.answer(words.Say("course.none", "kind", v.Title())), nil
	}
	return next.Show(ctx)
}

// openStudy is the lesson or puzzle that a request which names no game is about: what the author was
// shown last, unless it has become their turn since in a game played there. Games elsewhere do not
// matter. It is nil if there is none.
func (b *Bot) openStudy(ctx context.Context, r Request) (training.Exercise, error) {
	study := b.Training.Open(r.learner())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil {
		return nil, nil
	}
	if newer, err := b.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// inStudy makes a handler that does something in the lesson or puzzle that a request of one word is about; without one,
// it does what the request means elsewhere.
func inStudy(do func(training.Exercise, context.Context) (*message.Message, error), elsewhere handler) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		switch study, err := b.openStudy(ctx, r); {
		case err != nil:
			return nil, err
		case study != nil && len(r.Args) == 0:
			return do(study, ctx)
		}
		return elsewhere(ctx, b, r)
	}
}

// openDaily is the puzzle of the day that a request without a game means, as for openStudy, if nobody else sees it; nil
// if there is none.
func (b *Bot) openDaily(ctx context.Context, r Request) (*training.DailyPuzzle, error) {
	if r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil || !r.Msg.Private && !r.Msg.Alone {
		return nil, nil
	}
	open, err := b.Training.OpenDaily(ctx, r.learner(), words.Either(r.Msg.Alone, r.Server.ID, 0), r.Text)
	if open == nil || err != nil {
		return nil, err
	}
	if newer, err := b.calls(ctx, r, open.Shown()); newer || err != nil {
		return nil, err
	}
	return open, nil
}

// calls reports whether it has become the asker's turn since a moment, in a game played where they are. For a move that
// others see, though not its answer, it is enough that it is their turn. No game calls whoever answers the exercise itself.
func (b *Bot) calls(ctx context.Context, r Request, since time.Time) (bool, error) {
	if r.Msg.ToStudy {
		return false, nil
	}
	alone := r.Msg.Alone && !r.Msg.Private
	games, err := b.playing(ctx, r)
	return slices.ContainsFunc(games, func(g storage.Game) bool {
		return slices.Contains(g.Places(), r.Here.ID) && match.ToMove(&g) == r.Me.ID && (g.Turned.After(since) || alone && r.Text != "")
	}), err
}

// study does what a button of a lesson or puzzle says.
func study(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	verb, _, _ := strings.Cut(r.Msg.Press, " ")
	said, err := b.Training.Press(ctx, r.learner(), verb, r.Args)
	if said == nil && err == nil {
		return r.answer(words.Say("request.old-button")), nil
	}
	return said, err
}

// ofToday asks for the puzzle of the day, in place of a theme.
const ofToday = "daily"

// solve goes on with the puzzle that somebody has not solved yet, unless they ask for another game or
// for a theme; else it gives them another.
func solve(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	all, last := b.Games.Variants(), &r.Me.Training
	v := cmp.Or(variantNamed(all, r.Said["game"]), rules.Find(all, last.Game))
	theme := given.Named(r.Said["theme"])
	switch {
	case r.Said["theme"] == ofToday:
		press, err := b.Training.OnItsDay(ctx, r.Me.ID)
		r.Msg.Press = press
		said, _, err2 := b.press(ctx, r)
		return said, cmp.Or(err, err2)
	case v == nil && theme == "":
		return b.Training.ChoosePuzzle(&r.Me), nil
	case v == nil:
		v = b.Games.Variant(usualVariant(b, r))
	}
	if left, waits := last.Waits(v.Key); waits && theme == "" {
		if t := b.Training.Attempt(r.learner(), v, left.Number, left.Turn, 0); t != nil {
			return t.Show(ctx)
		}
	}
	return b.Training.NextPuzzle(ctx, r.learner(), v, theme)
}

// wishCode stands in a web link before what somebody wants.
const wishCode = "do-"

// isCode matches what web links can carry.
var isCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Wish is a code for a command or button whose answer only the asker may see: they bring it along to a
// private chat. It is "" if no code can express it, or if it does more than show something.
func Wish(m *message.Incoming) string {
	words := m.Press
	if words == "" {
		said := commands.Read(m.Text)
		words = strings.Join(append([]string{said.Name}, said.Args...), " ")
	}
	code := wishCode + strings.ReplaceAll(words, " ", "_")
	if text, press := Wished(code); text+press != words || !isCode.MatchString(code) {
		return ""
	}
	return code
}

// Wished is the command, or the press, that a code of Wish stands for; both are "" for another code.
func Wished(code string) (text, press string) {
	wish, ok := strings.CutPrefix(code, wishCode)
	wish = strings.ReplaceAll(wish, "_", " ")
	reads := func(c *Command) bool { return c != nil && c.Whose == AskerAlone && c.Reads == many }
	switch p, _, _, _, is := pressed(wish); {
	case !ok:
	case is && (p.alone && p.reads || reads(commands.Find(p.command))):
		return "", wish
	case !is && reads(commands.Read(wish).Command):
		return wish, ""
	}
	return "", ""
}
