// Package rulestest is what every game must pass: counted positions from files
// (counts.go), and the promises of package rules over random games (suite.go).
package rulestest
