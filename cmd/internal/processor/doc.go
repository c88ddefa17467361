// Package processor tells what work costs, whatever else the machine is doing.
package processor
