package tree

import (
	"io/fs"
	"sync"
	"time"
)

// hashes remembers the hashes of files, so that a digest reads only what was touched since
// the one before: each candidate asks for two, and most files of a project stay as they
// are. The zero value remembers nothing yet; it is safe for concurrent use.
type hashes struct {
	mu    sync.Mutex
	known map[string]hashed
	// now is the clock, nil the machine's; read counts the files that were read.
	now  func() time.Time
	read int
}

type hashed struct {
	stamp Stamp
	hash  string
}

// settled is how long a file must have been left alone before its stamp speaks for it: of
// two changes within one tick of the file system's clock, a stamp shows one.
const settled = 2 * time.Second

// of is the hash of a file, read where its stamp is not what it was when it was read last.
func (h *hashes) of(rel, path string, e fs.DirEntry) (string, error) {
	info, err := e.Info()
	if err != nil {
		return "", err
	}
	stamp := stampOf(info)
	if was, ok := h.known[rel]; ok && was.stamp == stamp {
		return was.hash, nil
	}
	delete(h.known, rel)
	began := time.Now()
	if h.now != nil {
		began = h.now()
	}
	h.read++
	hash, err := hashFile(path, e)
	if err == nil && stampsTell && began.Sub(stamp.changed) > settled {
		if h.known == nil {
			h.known = map[string]hashed{}
		}
		h.known[rel] = hashed{stamp, hash}
	}
	return hash, err
}
