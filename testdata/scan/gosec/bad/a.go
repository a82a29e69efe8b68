package a

import (
	"crypto/md5"
	"crypto/tls"
	"database/sql"
	"fmt"
	"net/http"
	"os/exec"
)

func User(db *sql.DB, r *http.Request) (*sql.Rows, error) {
	return db.Query(fmt.Sprintf("SELECT * FROM users WHERE name = '%s'", r.FormValue("name")))
}

func Client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
}

func Password(s string) [16]byte {
	return md5.Sum([]byte(s))
}

func Convert(w http.ResponseWriter, r *http.Request) {
	out, err := exec.Command("sh", "-c", "convert "+r.FormValue("file")).Output()
	if err != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
		return
	}
	w.Write(out)
}
