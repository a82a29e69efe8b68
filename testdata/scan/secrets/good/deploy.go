package deploy

import "os"

const accessKeyVariable = "AWS_ACCESS_KEY_ID"

func token() string {
	return os.Getenv("GITHUB_TOKEN")
}
