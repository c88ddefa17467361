package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// readRecords reads the JSON lines of a file; none if it does not exist. An incomplete last line is cut off the file.
func readRecords[T any](file string) ([]T, error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var records []T
	whole := int64(0)
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		var r T
		if err != nil || json.Unmarshal(line, &r) != nil {
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			return records, f.Truncate(whole)
		}
		records = append(records, r)
		whole += int64(len(line))
	}
}

// appendRecord appends a JSON line to a file.
func appendRecord[T any](file string, r T) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
