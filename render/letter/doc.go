// Package letter writes on pictures what strangers are called: any text, bold or not, cut
// to its room.
//
// Latin, Greek and Cyrillic letters are outlines; those of China, Japan, Korea, Arabia,
// Israel and others are dots, since outlines of all of them are larger than the rest of the
// program; what is in neither font becomes a question mark, and little pictures are left
// out.
package letter
