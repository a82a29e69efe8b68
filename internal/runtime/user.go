package runtime

// firstSandboxUID is where the search for a user id for the code begins: above
// the ids of people and services, and not 1001, which owns the files of the
// workflow runner on hosted machines.
const firstSandboxUID = 65532

// lastSandboxUID ends the search; a container of an ordinary user has ids up to
// 65535 only.
const lastSandboxUID = 65600

// user is whom the code runs as. A nil user is ourselves.
type user struct{ uid, gid int }

// TestsUser is the id of the user as whom tests run here, -1 where that is
// ourselves.
func TestsUser() int {
	if u := sandboxUser(); u != nil {
		return u.uid
	}
	return -1
}
