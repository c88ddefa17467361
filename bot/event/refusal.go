package event

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chimera/storage"
)

// Why says why a request was refused, where it is not the rules of a move.
type Why string

// The reasons.
const (
	NoSuchGame        Why = "no such game"
	NotBegun          Why = "not begun"           // it is a challenge
	NotPlaying        Why = "not playing"         // the asker plays in another game, but not in this
	NotYourTurn       Why = "not your turn"       //
	Over              Why = "over"                // the game has ended
	Damaged           Why = "damaged"             // the game cannot be read or handled
	Aborted           Why = "aborted"             // the game was damaged, and aborted for that
	NoSuchVariant     Why = "no such variant"     //
	WithYourself      Why = "with yourself"       // a challenge to oneself
	BlocksThemself    Why = "blocks themself"     //
	TooManyChallenges Why = "too many challenges" // limit.Challenges are open
	TooManyGames      Why = "too many games"      // limit.Games are in progress
	TooManyPractices  Why = "too many practices"  // limit.Practices against the computer are in progress
	OpponentBusy      Why = "opponent busy"       // likewise the opponent's
	TooManyHere       Why = "too many here"       // limit.RoomChallenges are open in this room
	NoSuchChallenge   Why = "no such challenge"   //
	NotForYou         Why = "not for you"         // the challenge is to somebody else
	OwnChallenge      Why = "own challenge"       // one's own cannot be accepted
	NotYourChallenge  Why = "not your challenge"  // another's cannot be cancelled
	NoOffer           Why = "no offer"            // there is nothing to accept, decline or cancel
	AlreadyOffered    Why = "already offered"     // a draw, or a takeback
	OfferedBefore     Why = "offered before"      // limit.OffersPerMove, and no move was played since
	NothingToClaim    Why = "nothing to claim"    //
	NothingToTakeBack Why = "nothing to take back"
	TooLateToAbort    Why = "too late to abort"   // both have moved
	InSeason          Why = "in season"           // a game that counts for something allows no abort and no added time
	TooLong           Why = "too long"            // more than MaxMove or MaxBank
	RatedNeedsTime    Why = "rated needs time"    // no limit, but rated
	RematchAsked      Why = "rematch asked"       // by the asker already, and it is open
	Rematched         Why = "rematched"           // already: the rematch has begun
	EveryRoom         Why = "every room"          // all rooms let games begin already
	OnlyRoom          Why = "only room"           // it is the only room that lets games begin
	NotOver           Why = "not over"            // the game is still in progress
	NoLimit           Why = "no limit"            // the game has no time limit
	YourTurn          Why = "your turn"           // conditions are for the opponent's
	Away              Why = "away"                // on vacation already
	NotAway           Why = "not away"            //
	NoDaysLeft        Why = "no days left"        // of vacation, or fewer than were asked for
	NoSuchSetting     Why = "no such setting"     //
	BadValue          Why = "bad value"           // of a setting
	NotAsked          Why = "not asked"           // the second word came without the first, or late
	ForAnyone         Why = "for anyone"          // an open challenge cannot be declined
	NoServer          Why = "no server"           // a private chat belongs to none
	NotHere           Why = "not here"            // the server's managers want games elsewhere
	NotOfServer       Why = "not of server"       // the game was played elsewhere
	OwnGame           Why = "own game"            // people cannot annul games that they have played
	NotRated          Why = "not rated"           // the game has not changed ratings
	PlayedHere        Why = "played here"         // the game's moves are told here in any case
	NotShown          Why = "not shown"           // the asker may not see the game here
	NotFollowed       Why = "not followed"        // nothing is told of the game here
	TooManyFollow     Why = "too many follow"     // too many places follow the game
	TooManyBlocked    Why = "too many blocked"    // limit.Blocks by the asker
	TooManyHidden     Why = "too many hidden"     // limit.Hidden in the server
	BadCode           Why = "bad code"            // wrong, used or expired
	BadInvitation     Why = "bad invitation"      // the same of a challenge's code
	TooManyGuesses    Why = "too many guesses"    // of codes
	OtherCode         Why = "other code"          // the code is for another command
	Elsewhere         Why = "elsewhere"           // an open challenge that was made in another chat
	SamePerson        Why = "same person"         // the accounts are linked already
	SamePlatform      Why = "same platform"       // the accounts are of one platform
	TooManyLinks      Why = "too many links"      // limit.LinksPerDay within a day
	StillJoining      Why = "still joining"       // the games of a link or an unlinking are on their way
	PlayEachOther     Why = "play each other"     // the two accounts are opponents
	OneAccount        Why = "one account"         // there is nothing to unlink
	NoSuchLeague      Why = "no such league"      // here, or none that one can join
	NotInLeague       Why = "not in league"       //
	TooManyForLeague  Why = "too many for league" // a season would be more games than limit.Games
	NotOnLadder       Why = "not on ladder"       //
	OutOfReach        Why = "out of reach"        // on the ladder, not just above
	Climbs            Why = "climbs"              // the asker has an undecided challenge there already
	IsChallenged      Why = "is challenged"       // the opponent already has one from somebody else
	MetLately         Why = "met lately"          // the two have met there not long ago
	BarredHere        Why = "barred here"         // the server's managers show them on no leaderboard
	NotWanted         Why = "not wanted"          // the opponent has blocked the asker
	NoAccount         Why = "no account"          // the opponent was forgotten
	Unwanted          Why = "unwanted"            // likewise the other way round
)

// Refusal means that a request was not carried out. Nothing has changed.
type Refusal struct {
	Why  Why
	Game storage.GameID // 0 if it is about none
}

// Error tells operators; people are told in bot/words.
func (r *Refusal) Error() string { return fmt.Sprintf("game %d: %s", r.Game, r.Why) }

// Refuse makes the refusal of a request about a game, 0 for none.
func Refuse(why Why, game storage.GameID) *Refusal { return &Refusal{why, game} }

// IsRefused reports whether an error is a refusal with this reason.
func IsRefused(err error, why Why) bool {
	no := (*Refusal)(nil)
	return errors.As(err, &no) && no.Why == why
}

// Named reads the game with a number, or refuses: NoSuchGame, NotBegun, Damaged or Aborted.
func Named(r storage.Reader, id storage.GameID) (storage.Game, error) {
	g, err := r.Games().Get(id)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		err = Refuse(NoSuchGame, id)
		if _, none := r.Challenges().Get(id); none == nil {
			err = Refuse(NotBegun, id)
		}
	case storage.Missing(err):
		err = Unreadable(id, err)
	case err == nil && g.Quarantined != "":
		err = Refuse(Aborted, id)
	}
	return g, err
}

// ServerAt is the server of a place; it refuses NoServer.
func ServerAt(r storage.Reader, at storage.PlaceID) (server storage.Server, err error) {
	place, err := r.Places().Get(at)
	if err == nil && place.Server == 0 {
		err = Refuse(NoServer, 0)
	}
	if err == nil {
		server, err = r.Servers().Get(place.Server)
	}
	return server, err
}

// Unreadable is the refusal of a request about a game whose record cannot be read.
func Unreadable(id storage.GameID, why error) error {
	return fmt.Errorf("%w: %w", Refuse(Damaged, id), why)
}

// Shown refuses a game that the asker may not see where they are. Outside of chats it is as if there
// were no such game.
func Shown(r storage.Reader, by By, g *storage.Game) error {
	if _, plays := g.SideOf(by.Person); plays || slices.Contains(g.Places(), by.Place) {
		return nil
	}
	e, err := NewPermissions(r, by)
	if err != nil {
		return err
	}
	sees, err := e.Sees(g)
	switch {
	case err != nil || sees:
		return err
	case by.Outside:
		return Refuse(NoSuchGame, g.ID)
	}
	return Refuse(NotShown, g.ID)
}

// Permissions decide which games and challenges somebody may see where they are.
type Permissions struct {
	r       storage.Reader
	me      storage.Person
	here    storage.Place
	outside bool
	servers map[storage.PlaceID]storage.Server // of places that were read
}

// NewPermissions are those of an asker: few if the person or the place is not known.
func NewPermissions(r storage.Reader, by By) (*Permissions, error) {
	me, err := r.People().Find(by.Person)
	here, err2 := r.Places().Find(by.Place)
	return &Permissions{r, me, here, by.Outside, map[storage.PlaceID]storage.Server{0: {}}}, cmp.Or(err, err2)
}

// Sees reports whether a game may be seen: by its players and by people who are told of it in private
// anywhere, by others where it is played or followed, and in the servers of those places. A game that
// is played in a server is public, unless the server's managers object: then everybody sees it on
// pages.
func (e *Permissions) Sees(g *storage.Game) (bool, error) {
	_, plays := g.SideOf(e.me.ID)
	follows := func(p storage.PlaceID) bool { return slices.Contains(g.Also, p) }
	if plays || g.Place == 0 || slices.Contains(g.Places(), e.here.ID) || slices.ContainsFunc(e.me.AllChats(), follows) {
		return true, nil
	}
	if g.Season != 0 { // it belongs to its server, wherever it is played
		league, err := e.r.LeagueOf(g.Season)
		if err != nil || e.here.Server != 0 || !e.outside {
			return err == nil && league.Server != 0 && e.here.Server == league.Server, err
		}
		server, err := e.r.Servers().Find(league.Server)
		return server.ID != 0 && !server.Settings.Private, err
	}
	return e.near(e.outside, g.Place, g.Seats[storage.White], g.Seats[storage.Black])
}

// SeesChallenge is the same of a challenge.
func (e *Permissions) SeesChallenge(c storage.Challenge) (bool, error) {
	if c.From == e.me.ID || c.To == e.me.ID || c.Place == e.here.ID {
		return true, nil
	}
	return e.near(false, c.Place)
}

// near reports whether one of some places belongs to a server whose games everybody may see, or to the
// asker's server.
func (e *Permissions) near(anywhere bool, places ...storage.PlaceID) (bool, error) {
	if !anywhere && e.here.Server == 0 {
		return false, nil
	}
	for _, id := range places {
		server, known := e.servers[id]
		if !known {
			place, err := e.r.Places().Get(id)
			if err == nil && place.Server != 0 {
				server, err = e.r.Servers().Get(place.Server)
			}
			if err != nil && !storage.Missing(err) {
				return false, err
			}
			server.ID = place.Server // though that may be another by now
			e.servers[id] = server
		}
		if server.ID != 0 && (anywhere && !server.Settings.Private || server.ID == e.here.Server) {
			return true, nil
		}
	}
	return false, nil
}
