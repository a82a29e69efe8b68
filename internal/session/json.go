package session

import "encoding/json"

// WriteJSON writes a file of the session as indented JSON.
func (s *Session) WriteJSON(rel string, value any) error {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return s.WriteFile(rel, append(raw, '\n'))
}
