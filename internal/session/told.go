package session

// told is what tasks of a session told each other and people. Lines that are neither
// are passed over: a run that was killed may leave half of one.
func told(d *disk) ([]discovery, []Message, error) {
	board, err := d.read(boardFile)
	if err != nil {
		return nil, nil, err
	}
	log, err := d.read(messagesFile)
	if err != nil {
		return nil, nil, err
	}
	return parseDiscoveries(board), parseMessages(log), nil
}

// Told is how many discoveries of each type a session has, and its last messages.
type Told struct {
	Discoveries map[string]int
	Last        []Message // oldest first
}

// shownLast is how many messages a look at a session shows.
const shownLast = 5

func toldOf(d *disk) (Told, error) {
	found, said, err := told(d)
	out := Told{Discoveries: map[string]int{}, Last: said[max(0, len(said)-shownLast):]}
	for _, f := range found {
		out.Discoveries[f.Type]++
	}
	return out, err
}
