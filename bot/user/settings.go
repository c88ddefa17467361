package user

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// The settings of a person, by name.
const (
	SetReminders = "reminders"   // "all", "off", or some of half,24h,4h,1h
	SetQuiet     = "quiet"       // hours such as 22-7 in which no reminder is sent, or "off"
	SetTimezone  = "timezone"    // IANA name
	SetClaim     = "claim"       // "ask" or "auto": whether wins on time are claimed by themselves
	SetVacation  = "vacation"    // "auto" or "ask": whether one begins when a game would be lost on time
	SetBoards    = "leaderboard" // "on" or "off"
	SetConfirm   = "confirm"     // "on" or "off": whether a move chosen by buttons waits for Confirm
	SetChat      = "chat"        // "on" or "off": whether words are passed on in private games
	SetBanter    = "banter"      // "on" or "off": whether the computer's characters talk
	SetTheme     = "theme"       // of boards, as package bot knows it; "" for the usual; also a server's
	SetSize      = "size"        // of boards, likewise
	SetBars      = "bars"        // "on" or "off": whether boards have bars about the players, likewise
	SetPieces    = "pieces"      // "figures" or "letters": what pieces are drawn as, likewise
	SetCoords    = "coords"      // where ranks and files are named at boards: "inside", "outside" or "off", likewise
	SetWords     = "words"       // "on" or "off": whether boards are told in words too, where those stand in the message; likewise
	SetLanguage  = "language"    // ISO 639 code; "auto" for the platform's; also a server's
	SetLinks     = "links"       // "reset" ends all sessions in browsers; nothing is stored
)

// The settings of a server, by name, besides SetTimezone, SetLanguage and those of a [storage.Look].
const (
	SetGame    = "game"    // the kind of game of a challenge that names none
	SetDays    = "days"    // the days for a move of a challenge that names none, from 1 to 14
	SetThreads = "threads" // "on" or "off": whether a game gets a thread of its own
	SetSeasons = "seasons" // "on" or "off": whether there is a final table of each month, told where it was turned on
	SetPuzzle  = "puzzle"  // the time of day at which there is a puzzle, told where it was chosen, or "off"
	SetRooms   = "rooms"   // "all", or "here" and "not-here": where games may be begun
	SetTurning = "turning" // "on" or "off": whether boards that several see turn to the player to move
	SetPublic  = "public"  // "on" or "off": whether everybody sees its games on pages
	SetMotion  = "motion"  // "on" or "off": whether moves worth seeing, and the last one, are told by pictures that move
)

// OfBoards reports whether a setting is about how boards are shown.
func OfBoards(name string) bool {
	return slices.Contains([]string{SetTheme, SetPieces, SetSize, SetBars, SetCoords, SetWords, SetTurning, SetMotion}, name)
}

// Setting is a setting and its value.
type Setting struct {
	Name, Value string
	Said        phrase.Phrase // the value as people read it, where somebody has filled it in
	Others      int           // for SetRooms, the number of other rooms where games may begin
}

// setting is a setting stored in an S: how to show it, and how to set its value; set returns "" or why
// it refuses, and then may have changed the S in vain.
type setting[S any] struct {
	name string
	show func(*S) string
	set  func(s *S, value string) event.Why
}

// usual is the value of a setting that nobody has chosen.
const usual = "usual"

// text is a setting stored as text, "" for its usual value; read converts a value to what is stored.
func text[S any](name, usual string, in func(*S) *string, read func(value string) (kept string, ok bool)) setting[S] {
	return setting[S]{name, func(s *S) string { return cmp.Or(*in(s), usual) }, func(s *S, value string) event.Why {
		kept, ok := read(value)
		*in(s) = kept
		return valid(ok)
	}}
}

func anything(value string) (string, bool) { return value, true }

// among reads a value that must be one of those allowed.
func among(allowed ...string) func(string) (string, bool) {
	return func(value string) (string, bool) { return value, slices.Contains(allowed, value) }
}

// flag is a setting with two values.
func flag[S any](name, on, off string, in func(*S) *bool) setting[S] {
	values := map[bool]string{true: on, false: off}
	return setting[S]{name, func(s *S) string { return values[*in(s)] }, func(s *S, value string) event.Why {
		*in(s) = value == on
		return valid(value == on || value == off)
	}}
}

// valid is BadValue unless a value is valid.
func valid(is bool) event.Why {
	if is {
		return ""
	}
	return event.BadValue
}

// personal are a person's settings, in the order in which people see them.
func personal() []setting[storage.Settings] {
	type settings = storage.Settings
	return append([]setting[settings]{
		text(SetReminders, "all", func(s *settings) *string { return &s.Reminders }, readReminders),
		text(SetQuiet, "off", func(s *settings) *string { return &s.Quiet }, readQuiet),
		text(SetTimezone, "UTC", func(s *settings) *string { return &s.Zone }, readZone),
		flag(SetClaim, "auto", "ask", func(s *settings) *bool { return &s.Claim }),
		flag(SetVacation, "ask", "auto", func(s *settings) *bool { return &s.Stay }),
		flag(SetBoards, "off", "on", func(s *settings) *bool { return &s.Unranked }),
		flag(SetConfirm, "off", "on", func(s *settings) *bool { return &s.Taps }),
		flag(SetChat, "on", "off", func(s *settings) *bool { return &s.Chat }),
		flag(SetBanter, "off", "on", func(s *settings) *bool { return &s.Silent }),
		text(SetLanguage, auto, func(s *settings) *string { return &s.Language }, readLanguage),
	}, append(ofLook(func(s *settings) *storage.Look { return &s.Look }),
		text(SetLinks, "kept", func(*settings) *string { return new(string) }, among()))...)
}

// ofLook are the settings of a Look.
func ofLook[S any](in func(*S) *storage.Look) []setting[S] {
	return []setting[S]{
		text(SetTheme, usual, func(s *S) *string { return &in(s).Theme }, anything),
		text(SetPieces, "figures", func(s *S) *string { return &in(s).Pieces }, among("figures", "letters")),
		text(SetSize, usual, func(s *S) *string { return &in(s).Size }, anything),
		text(SetBars, "on", func(s *S) *string { return &in(s).Bars }, among("on", "off")),
		text(SetCoords, "inside", func(s *S) *string { return &in(s).Coords }, among("inside", "outside", "off")),
		flag(SetWords, "on", "off", func(s *S) *bool { return &in(s).Words }),
	}
}

// auto stands for the platform's language.
const auto = "auto"

func readLanguage(value string) (string, bool) {
	return strings.TrimPrefix(value, auto), value == auto || slices.Contains(phrase.Languages(), phrase.Language(value))
}

func readReminders(value string) (string, bool) {
	if value == "all" || value == "off" {
		return strings.TrimPrefix(value, "all"), true
	}
	for name := range strings.SplitSeq(value, ",") {
		if !slices.ContainsFunc(match.Reminders[:], func(r match.Reminder) bool { return r.Name == name }) {
			return "", false
		}
	}
	return value, true
}

func readQuiet(value string) (string, bool) {
	_, _, hours := match.Hours(value)
	return strings.TrimPrefix(value, "off"), value == "off" || hours
}

func readZone(value string) (string, bool) {
	where, err := time.LoadLocation(value)
	return where.String(), err == nil && value != "" && value != "Local"
}

// ofServer are a server's settings as a place in it sees them, in the order in which people
// see them.
func (s *Users) ofServer(place storage.Place) []setting[storage.ServerSettings] {
	type settings = storage.ServerSettings
	return append([]setting[settings]{
		text(SetGame, usual, func(s *settings) *string { return &s.Game }, func(value string) (string, bool) { return value, s.match.Variant(value) != nil }),
		{SetDays, func(s *settings) string { return strconv.Itoa(cmp.Or(s.Days, int(match.PaceMove/match.Day))) }, setDays},
		text(SetThreads, "on", func(s *settings) *string { return &s.Threads }, among("on", "off")),
		{
			SetRooms, func(s *settings) string { return rooms(s, place.Address.ID) },
			func(to *settings, value string) event.Why { return setRooms(to, place.Address.ID, value) },
		},
		{
			SetSeasons, func(s *settings) string { return map[bool]string{true: "on", false: "off"}[s.Season.Place != 0] },
			func(to *settings, value string) event.Why { return setSeasons(to, value, place.ID, s.now()) },
		},
		{SetPuzzle, puzzleTime, func(to *settings, value string) event.Why { return setPuzzle(to, value, place.ID, s.now()) }},
		text(SetTimezone, "UTC", func(s *settings) *string { return &s.Zone }, readZone),
		text(SetLanguage, auto, func(s *settings) *string { return &s.Language }, readLanguage),
		flag(SetPublic, "off", "on", func(s *settings) *bool { return &s.Private }),
		flag(SetTurning, "on", "off", func(s *settings) *bool { return &s.Turning }),
		flag(SetMotion, "on", "off", func(s *settings) *bool { return &s.Motion }),
	}, ofLook(func(s *settings) *storage.Look { return &s.Look })...)
}

func setDays(to *storage.ServerSettings, value string) event.Why {
	days, err := strconv.Atoi(value)
	to.Days = days
	return valid(err == nil && days >= 1 && days <= int(match.MaxMove/match.Day))
}

func setSeasons(to *storage.ServerSettings, value string, here storage.PlaceID, now time.Time) event.Why {
	if value != "on" {
		to.Season = storage.Season{}
		return valid(value == "off")
	}
	if to.Season.Place == 0 {
		to.Season.Month = storage.MonthOf(now)
	}
	to.Season.Place = here
	return ""
}

// clock is how times of the day are written.
const clock = "15:04"

func puzzleTime(s *storage.ServerSettings) string {
	if s.Puzzles.Place == 0 {
		return "off"
	}
	return time.Time{}.Add(time.Duration(s.Puzzles.Minute) * time.Minute).Format(clock)
}

// setPuzzle turns on a puzzle each day, from the next such time on, or turns it off.
func setPuzzle(to *storage.ServerSettings, value string, here storage.PlaceID, now time.Time) event.Why {
	at, err := time.Parse(clock, value)
	if err != nil {
		to.Puzzles = storage.Puzzles{}
		return valid(value == "off")
	}
	to.Puzzles = storage.Puzzles{Place: here, Minute: at.Hour()*60 + at.Minute()}
	to.Puzzles.Next = to.PuzzleAfter(now)
	return ""
}

// rooms is the value of SetRooms in a room.
func rooms(s *storage.ServerSettings, here string) string {
	switch {
	case len(s.Rooms) == 0:
		return "all"
	case !slices.Contains(s.Rooms, here):
		return "not-here"
	}
	return "here"
}

// setRooms sets where games may begin: in the rooms of Rooms, or everywhere if it is empty.
func setRooms(to *storage.ServerSettings, here, value string) event.Why {
	switch i := slices.Index(to.Rooms, here); {
	case value == "all":
		to.Rooms = nil
	case value == "here" && i < 0:
		to.Rooms = append(to.Rooms, here)
	case value == "not-here" && len(to.Rooms) == 0:
		return event.EveryRoom
	case value == "not-here" && i >= 0 && len(to.Rooms) == 1:
		return event.OnlyRoom
	case value == "not-here" && i >= 0:
		to.Rooms = slices.Delete(to.Rooms, i, i+1)
	}
	return valid(value == "all" || value == "here" || value == "not-here")
}

// Settings are a person's, in the order in which people see them.
func Settings(s storage.Settings) []Setting { return show(personal(), &s) }

// ServerSettings are a server's as a place in it sees them, in the order in which people
// see them.
func ServerSettings(s storage.ServerSettings, place storage.Address) []Setting {
	all := show((*Users)(nil).ofServer(storage.Place{Address: place}), &s)
	for i := range all {
		if all[i].Name == SetRooms {
			all[i].Others = len(slices.DeleteFunc(slices.Clone(s.Rooms), func(room string) bool { return room == place.ID }))
		}
	}
	return all
}

func show[S any](all []setting[S], s *S) []Setting {
	return phrase.Each(all, func(one setting[S]) Setting { return Setting{Name: one.name, Value: one.show(s)} })
}

// set gives the setting with a name a value; neither needs to be in lower case.
func set[S any](all []setting[S], s *S, name, value string) error {
	if name = strings.ToLower(name); name != SetTimezone {
		value = strings.ToLower(value)
	}
	why := event.NoSuchSetting
	for _, one := range all {
		if one.name == name {
			why = one.set(s, value)
		}
	}
	if why != "" {
		return event.Refuse(why, 0)
	}
	return nil
}

// Choose gives a setting of the asker's a value. It refuses NoSuchSetting and BadValue.
func (s *Users) Choose(ctx context.Context, by event.By, name, value string) (event.Done, error) {
	done, err := s.change(ctx, by, event.Chose, func(w storage.Writer, p *storage.Person) error {
		if err := set(personal(), &p.Settings, name, value); err != nil {
			return err
		}
		return errors.Join(w.People().Put(*p), s.match.Rewind(w, p))
	})
	if err != nil {
		return done, err
	}
	return done, s.match.Jobs().Finish(ctx, s.store)
}

// ChooseForServer gives a setting of a place's server a value; the platform has to check that the
// asker may do this. It refuses NoServer, NoSuchSetting, BadValue, and for rooms EveryRoom and
// OnlyRoom.
func (s *Users) ChooseForServer(ctx context.Context, by event.By, name, value string) (event.Done, error) {
	return s.changeServer(ctx, by, func(server *storage.Server, place storage.Place) error {
		err := set(s.ofServer(place), &server.Settings, name, value)
		if p := &server.Settings.Puzzles; strings.EqualFold(name, SetTimezone) && !p.Next.IsZero() {
			p.Next = server.Settings.PuzzleAfter(s.now())
		}
		return err
	})
}

// Block refuses, or accepts again, challenges from a person to the asker. It refuses
// BlocksThemself and TooManyBlocked.
func (s *Users) Block(ctx context.Context, by event.By, whom storage.PersonID, blocked bool) (event.Done, error) {
	if whom == by.Person {
		return event.Done{}, event.Refuse(event.BlocksThemself, 0)
	}
	return s.change(ctx, by, event.Chose, func(_ storage.Writer, p *storage.Person) error {
		was := len(p.Blocked)
		if p.Blocked = including(p.Blocked, whom, blocked); len(p.Blocked) > max(was, limit.Blocks) {
			return event.Refuse(event.TooManyBlocked, 0)
		}
		return nil
	})
}

// Hide takes a person off all leaderboards of the asker's server, or puts them there
// again. It refuses NoServer and TooManyHidden.
func (s *Users) Hide(ctx context.Context, by event.By, whom storage.PersonID, hidden bool) (event.Done, error) {
	return s.changeServer(ctx, by, func(server *storage.Server, _ storage.Place) error {
		was, list := len(server.Settings.Hidden), including(server.Settings.Hidden, whom, hidden)
		if server.Settings.Hidden = list; len(list) > max(was, limit.Hidden) {
			return event.Refuse(event.TooManyHidden, 0)
		}
		return nil
	})
}

// including is a list with a person added at its end, or removed.
func including(list []storage.PersonID, who storage.PersonID, wanted bool) []storage.PersonID {
	list = slices.DeleteFunc(slices.Clone(list), func(id storage.PersonID) bool { return id == who })
	if wanted {
		list = append(list, who)
	}
	return list
}

// replaceBlocked replaces a person by others in some of the lists that the person is on, and reports
// whether there are more: people's lists of those they block, and servers' of those they hide. Nobody
// comes to block themself; corrupt records are skipped.
func replaceBlocked(w storage.Writer, who storage.PersonID, instead ...storage.PersonID) (more bool, err error) {
	replaced := func(list []storage.PersonID, but storage.PersonID) []storage.PersonID {
		list = slices.Concat(list, instead)
		return Distinct(slices.DeleteFunc(list, func(id storage.PersonID) bool {
			return id == but || id == who && !slices.Contains(instead, who)
		}))
	}
	left := somePuts
	more, err = storage.Batch(w.People().Each(w.BlockedBy(who)), &left, func(p storage.Person) (bool, error) {
		was := p.Blocked
		if p.Blocked = replaced(was, p.ID); slices.Equal(p.Blocked, was) {
			return false, nil
		}
		return true, w.People().Put(p)
	})
	if more || err != nil {
		return more, err
	}
	return storage.Batch(w.Servers().Each(w.HiddenBy(who)), &left, func(server storage.Server) (bool, error) {
		was := server.Settings.Hidden
		if server.Settings.Hidden = replaced(was, 0); slices.Equal(server.Settings.Hidden, was) {
			return false, nil
		}
		return true, w.Servers().Put(server)
	})
}
