package combine

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json free
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// The hybrids, in the order of the piece table.
const (
	RookBishop rules.Role = fide.King + 1 + iota
	RookKnight
	BishopKnight
	QueenKnight
)

var table = pieces() //nolint:gochecknoglobals // never written

func pieces() rules.Table {
	table := fide.Pieces()
	partners := map[rules.Role][]phrase.Phrase{}
	for _, parts := range [...][]rules.Role{
		{fide.Rook, fide.Bishop}, {fide.Rook, fide.Knight}, {fide.Bishop, fide.Knight}, {fide.Queen, fide.Knight},
	} {
		one, other := table[parts[0]], table[parts[1]]
		partners[parts[0]] = append(partners[parts[0]], other.Noun)
		partners[parts[1]] = append(partners[parts[1]], one.Noun)
		name := one.Name + "-" + other.Name
		table = append(table, rules.RoleInfo{
			Code: one.Code + other.Code, Name: name, Parts: parts,
			Noun: book.Say("hybrid." + name), Does: book.Say("does.hybrid", "one", one.Noun, "other", other.Noun),
		})
	}
	for role, with := range partners {
		table[role].Also = book.Say("also.merges", "partners", phrase.Or(with))
	}
	return table
}

// Strict is Combine Chess.
func Strict() *rules.Variant {
	return variant("strict", rules.Variant{Key: "combine", Name: "Combine Chess", Files: files.ReadFile})
}

// Free is Free Combine Chess.
func Free() *rules.Variant {
	own := func(name string) ([]byte, error) { return files.ReadFile("free/" + name) }
	return variant("free", rules.Variant{Key: "combine-free", Name: "Free Combine Chess", Files: own})
}

// variant completes one of the two games; kind calls what is said of it alone.
func variant(kind string, v rules.Variant) *rules.Variant {
	v.Words, v.About, v.Rules = book, book.Say("about."+kind), book.Say("rules."+kind, "common", book.Say("rules.common"))
	v.Start, v.Shape, v.Table = fide.Start, fide.Shape(), table
	return rules.NewVariant(v, func(s *State, setup rules.Setup) error {
		s.free = kind == "free"
		return s.Load(setup, s.put)
	})
}
