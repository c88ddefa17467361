package people

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/storage"
)

// The settings of a person, by name.
const (
	SetReminders = "reminders"   // "all", "off", or some of half,24h,4h,1h
	SetQuiet     = "quiet"       // hours such as 22-7 in which no reminder is sent, or "off"
	SetTimezone  = "timezone"    // IANA name
	SetClaim     = "claim"       // "ask" or "auto": whether wins on time are claimed by themselves
	SetVacation  = "vacation"    // "auto" or "ask": whether one begins where a game would be lost on time
	SetBoards    = "leaderboard" // "on" or "off"
	SetTheme     = "theme"       // of boards, as package bot knows it; "" for the usual
	SetSize      = "size"        // of boards, likewise
)

// The settings of a server, by name, besides SetTheme and SetSize.
const (
	SetGame    = "game"    // that a challenge means which names none
	SetDays    = "days"    // that a challenge means which names none, from 1 to 14
	SetThreads = "threads" // "on" or "off": whether a game gets a thread of its own
	SetSeasons = "seasons" // "on" or "off": whether there is a final table of each month, told where it was turned on
	SetRooms   = "rooms"   // "all", or "here" and "not-here": where games may be begun
)

// Setting is one with the value that it has.
type Setting struct{ Name, Value string }

// Settings are a person's, in the order in which people see them.
func Settings(s storage.Settings) []Setting {
	return []Setting{
		{SetReminders, cmp.Or(s.Reminders, "all")},
		{SetQuiet, cmp.Or(s.Quiet, "off")},
		{SetTimezone, cmp.Or(s.Zone, "UTC")},
		{SetClaim, map[bool]string{true: "auto", false: "ask"}[s.Claim]},
		{SetVacation, map[bool]string{true: "ask", false: "auto"}[s.Stay]},
		{SetBoards, map[bool]string{true: "off", false: "on"}[s.Unranked]},
		{SetTheme, cmp.Or(s.Theme, "usual")},
		{SetSize, cmp.Or(s.Size, "usual")},
	}
}

// ServerSettings are a server's as a place in it sees them, in the order in which people
// see them.
func ServerSettings(s storage.ServerSettings, place storage.Address) []Setting {
	rooms, others := "all", len(s.Rooms)
	if slices.Contains(s.Rooms, place.ID) {
		rooms = "here"
		others--
	}
	switch {
	case others > 0 && rooms == "here":
		rooms += fmt.Sprintf(" and %d more", others)
	case others > 0:
		rooms = fmt.Sprintf("not-here, but %d others", others)
	}
	return []Setting{
		{SetGame, cmp.Or(s.Game, "usual")},
		{SetDays, strconv.Itoa(cmp.Or(s.Days, int(match.PaceMove/match.Day)))},
		{SetThreads, cmp.Or(s.Threads, "on")},
		{SetRooms, rooms},
		{SetSeasons, map[bool]string{true: "on", false: "off"}[s.Season.Place != 0]},
		{SetTheme, cmp.Or(s.Theme, "usual")},
		{SetSize, cmp.Or(s.Size, "usual")},
	}
}

// ChooseForServer gives a setting of the server that a place is in a value; who may do
// that is for the asker's platform to say. The refusals are NoServer, NoSuchSetting and
// BadValue.
func (s *People) ChooseForServer(ctx context.Context, by inbox.By, name, value string) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		server, place, err := serverOf(w, by.Place)
		if err != nil {
			return inbox.Done{}, err
		}
		if why := s.setServer(&server.Settings, place, strings.ToLower(name), strings.ToLower(value)); why != "" {
			return inbox.Done{}, inbox.Refuse(why, 0)
		}
		return inbox.Done{What: inbox.Chose}, w.PutServer(server)
	})
}

// serverOf is the server of a place; without one, the refusal is NoServer.
func serverOf(w storage.Writer, at storage.PlaceID) (server storage.Server, place storage.Place, err error) {
	if place, err = w.Place(at); err != nil {
		return server, place, err
	}
	if place.Server == 0 {
		return server, place, inbox.Refuse(inbox.NoServer, 0)
	}
	server, err = w.Server(place.Server)
	return server, place, err
}

func (s *People) setServer(to *storage.ServerSettings, place storage.Place, name, value string) inbox.Why {
	switch name {
	case SetTheme:
		to.Theme = value
	case SetSize:
		to.Size = value
	case SetGame:
		if s.games.Variant(value) == nil {
			return inbox.BadValue
		}
		to.Game = value
	case SetDays:
		days, err := strconv.Atoi(value)
		if err != nil || days < 1 || days > int(match.MaxMove/match.Day) {
			return inbox.BadValue
		}
		to.Days = days
	case SetThreads:
		to.Threads = value
		return oneOf(value, "on", "off")
	case SetSeasons:
		season := storage.Season{Place: place.ID, Month: storage.MonthOf(s.now())}
		if to.Season.Place != 0 {
			season.Month = to.Season.Month
		}
		if to.Season = season; value != "on" {
			to.Season = storage.Season{}
		}
		return oneOf(value, "on", "off")
	case SetRooms:
		return setRooms(to, place.Address.ID, value)
	default:
		return inbox.NoSuchSetting
	}
	return ""
}

// setRooms says in which rooms games may be begun: Rooms are those, none for all.
func setRooms(to *storage.ServerSettings, here, value string) inbox.Why {
	i := slices.Index(to.Rooms, here)
	switch {
	case value == "all":
		to.Rooms = nil
	case value == "here" && i < 0:
		to.Rooms = append(slices.Clone(to.Rooms), here)
	case value == "not-here" && len(to.Rooms) == 0:
		return inbox.EveryRoom
	case value == "not-here" && i >= 0 && len(to.Rooms) == 1:
		return inbox.OnlyRoom
	case value == "not-here" && i >= 0:
		to.Rooms = slices.Delete(slices.Clone(to.Rooms), i, i+1)
	}
	return oneOf(value, "all", "here", "not-here")
}

// Choose gives a setting of the asker's a value. The refusals are NoSuchSetting and
// BadValue.
func (s *People) Choose(ctx context.Context, by inbox.By, name, value string) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if why := set(&p.Settings, strings.ToLower(name), value); why != "" {
			return inbox.Done{}, inbox.Refuse(why, 0)
		}
		if err := w.PutPerson(p); err != nil {
			return inbox.Done{}, err
		}
		return inbox.Done{What: inbox.Chose}, s.clocks.Rewind(w, &p)
	})
}

// set says why a value cannot be had, "" if it was set.
func set(to *storage.Settings, name, value string) inbox.Why {
	low := strings.ToLower(value)
	switch name {
	case SetReminders:
		return setReminders(to, low)
	case SetQuiet:
		if _, _, ok := match.Hours(low); !ok && low != "off" {
			return inbox.BadValue
		}
		to.Quiet = strings.TrimPrefix(low, "off")
	case SetTimezone:
		where, err := time.LoadLocation(value)
		if err != nil || value == "" || value == "Local" {
			return inbox.BadValue
		}
		to.Zone = where.String()
	case SetClaim:
		to.Claim = low == "auto"
		return oneOf(low, "auto", "ask")
	case SetVacation:
		to.Stay = low == "ask"
		return oneOf(low, "auto", "ask")
	case SetBoards:
		to.Unranked = low == "off"
		return oneOf(low, "on", "off")
	case SetTheme:
		to.Theme = low
	case SetSize:
		to.Size = low
	default:
		return inbox.NoSuchSetting
	}
	return ""
}

func oneOf(value string, allowed ...string) inbox.Why {
	if slices.Contains(allowed, value) {
		return ""
	}
	return inbox.BadValue
}

func setReminders(to *storage.Settings, value string) inbox.Why {
	switch value {
	case "all":
		to.Reminders = ""
		return ""
	case "off":
		to.Reminders = "off"
		return ""
	}
	names := strings.Split(value, ",")
	for _, name := range names {
		if !slices.ContainsFunc(match.Reminders[:], func(r match.Reminder) bool { return r.Name == name }) {
			return inbox.BadValue
		}
	}
	to.Reminders = strings.Join(names, ",")
	return ""
}
