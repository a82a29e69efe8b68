package qa

import "testing"

func TestStable(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"invalid[10:11:49 2026-11-28]":                  "invalid[<time> <date>]",
		"invalid[11-28-2026 10:11:49]":                  "invalid[<date> <time>]",
		"made at 1795860709409431793":                   "made at <time>",
		"made at 1795860709.4094317":                    "made at <time>",
		"parses 10:11:49":                               "parses 10:11:49",
		"adds 2 and 3":                                  "adds 2 and 3",
		"reads /tmp/pytest-of-qa/pytest-0/x0":           "reads <tmp>",
		"reads '/tmp/abc/x.txt' twice":                  "reads '<tmp>' twice",
		"GET http://127.0.0.1:43121/users":              "GET http://127.0.0.1:<port>/users",
		"listens on port 43121":                         "listens on port <port>",
		"port 80":                                       "port 80", // a number people choose
		"test_repr[<Foo object at 0x7f3a2b1c4d50>]":     "test_repr[<Foo object at <address>>]",
		"test_id[6f1c2b34-1111-4222-8333-0123456789ab]": "test_id[<uuid>]",
		"at 2026-11-22T00:15:47.123Z":                   "at <time>",
		"at 1764000000123":                              "at <time>",
		"child pid 4711 ends":                           "child pid <pid> ends",
		"at_2026-11-22_00:15:47":                        "at_<time>",
		"Sun,_22_Nov_2026_00:15:47_GMT":                 "<time>_GMT",
		"TestWithin/time.Date(2026,_time.November,_28,_5,_31,_46,_917,_time.Local)": "TestWithin/<time>",
		"Sun Nov 22 2026 00:15:47 GMT+0000 (UTC)":                                   "<time>",
		"0x1F":                 "0x1F",
		"2026-11-22":           "2026-11-22", // a date is what the test is about
		"1234567890123456 big": "1234567890123456 big",
	} {
		if got := Stable(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
		if again := Stable(Stable(name)); again != Stable(name) {
			t.Errorf("%q is not stable: %q", name, again)
		}
	}
}
