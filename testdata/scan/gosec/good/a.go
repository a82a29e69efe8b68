package a

import (
	"crypto/sha256"
	"crypto/tls"
	"database/sql"
	"net/http"
	"os/exec"
)

func User(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	return db.Query("SELECT * FROM users WHERE name = $1", r.FormValue("name"))
}

func Client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}}
}

func Digest(s string) [32]byte {
	return sha256.Sum256([]byte(s))
}

func Version(w http.ResponseWriter, _ *http.Request) {
	out, err := exec.Command("convert", "-version").Output()
	if err != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
		return
	}
	w.Write(out)
}
