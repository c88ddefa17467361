package words

import (
	"chimera/rules"
	"chimera/rules/phrase"
)

// Lesson is what is said at a lesson of a game's course, counted from 0.
func Lesson(v *rules.Variant, number int, said Text) Text {
	return Of(Say("course.title", "kind", v.Name, "n", number+1, "all", len(v.Course)), "\n", said)
}

// CourseLabel is a button that leads into a course: how many of its lessons were done stands on it.
func CourseLabel(kind string, done, all int) phrase.Phrase {
	if done == 0 {
		return phrase.As(kind)
	}
	return book.Say("course.label", "kind", kind, "done", done, "all", all)
}

// PickLesson asks for the next choice on the way to the move of a lesson.
func PickLesson(shape *rules.Shape, piece, target rules.Square) Text {
	if piece == rules.NoSquare {
		return Say("course.pick-piece")
	}
	return pickTo(shape, piece, target)
}

// Advised is a text with the lesson that explains it, if there is one.
func Advised(said Text, lead rules.Lead) Text {
	if lead.Number == 0 {
		return said
	}
	return joined("\n", said, Say("course.advice", "n", lead.Number, "kind", lead.Variant.Key))
}
