package storage

// Numbers of what is stored, from 1; 0 is none.
type (
	PersonID uint64 // somebody who plays, or has been challenged
	PlaceID  uint64 // a room in which games are played
	ServerID uint64 // a community
	GameID   uint64 // a game, and before that the challenge it came from; people write it "#12"
)
