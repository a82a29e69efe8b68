// Command hostile carries out one attack; see ../README.md.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type targets struct {
	PID                                                                                int
	Checkout, FileCommands, Event, Credentials, Home, RunnerTemp, DockerSocket, Report string
	Results, Heartbeat, Abstract, Cache, Toolchains                                    string
	Listener                                                                           [2]any
}

var attacks = map[string]func(targets){
	"sockets":        exoticSockets,
	"fast_open":      fastOpen,
	"race_connect":   raceConnect,
	"keyring":        keyring,
	"poison_cache":   poisonCache,
	"hard_link":      hardLink,
	"signal_flood":   signalFlood,
	"pidfd":          pidfd,
	"set_uid_file":   setUIDFile,
	"kernel":         kernel,
	"write_anywhere": writeAnywhere,
}

func main() {
	var t targets
	if err := json.Unmarshal([]byte(os.Getenv("TARGETS")), &t); err != nil {
		fmt.Println("ESCAPED: the test is broken:", err)
		return
	}
	attacks[os.Args[1]](t)
}

// attempt reports how an attack went.
func attempt(what string, err error) {
	if err == nil {
		fmt.Println("ESCAPED:", what)
		return
	}
	fmt.Println("held:", what+":", err)
}
