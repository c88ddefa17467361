package storage

import "strings"

// migrate brings what was written with an older schema up to date.
func (w Writer) migrate(from uint64) error {
	steps := []func() error{1: w.addTurns}
	for ; from < schema; from++ {
		if err := steps[from](); err != nil {
			return err
		}
	}
	return w.out.Put(schemaKey(), number(nil, schema))
}

// addTurns leads from schema 1, whose games had no time limit, did not say whose
// turn it is, and were not listed by place.
func (w Writer) addTurns() error {
	ids, err := w.Games()
	if err != nil {
		return err
	}
	for _, id := range ids {
		g, err := w.Game(id)
		if err != nil {
			return err
		}
		if fields := strings.Fields(g.FEN); len(fields) > 1 && fields[1] == "b" {
			g.Turn = Black
		}
		if err := w.index(hereKey(g.Place, g.ID), !g.Over()); err != nil {
			return err
		}
		if err := w.put(gameKey(id), g); err != nil {
			return err
		}
	}
	return nil
}
