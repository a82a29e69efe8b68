package llm

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/openai/openai-go/option"
)

// Azure has an address of its own for every model, a version among the query, and a
// header of its own for the key.

// azureHosts are what the names of its hosts end in, in its clouds.
var azureHosts = []string{".azure.com", ".azure.us", ".azure.cn"}

// azure reports whether an address is one of Azure's.
func azure(u *url.URL) bool {
	for _, end := range azureHosts {
		if strings.HasSuffix(strings.ToLower(u.Hostname()), end) {
			return true
		}
	}
	return false
}

// deployments is what stands before the name of a deployment.
const deployments = "/openai/deployments/"

// baseOf is the address below which a model is asked. Where the deployment of the
// configured model stands in it, another model is another deployment; where none
// does, a resource of Azure has each model's own, or, without a version, one address
// for all.
func (o Options) baseOf(model string) string {
	u, err := url.Parse(cmp.Or(o.BaseURL, "https://api.openai.com/v1/"))
	if err != nil {
		return o.BaseURL
	}
	version := u.Query().Get("api-version")
	u.RawQuery, u.Fragment = "", ""
	path := strings.TrimSuffix(u.Path, "/")
	before, named, ok := strings.Cut(path, deployments)
	switch {
	case ok && model != o.Model:
		_, after, _ := strings.Cut(named, "/")
		path = strings.TrimSuffix(before+deployments+model+"/"+after, "/")
	case !ok && azure(u) && (path == "" || path == "/openai"):
		path = "/openai/v1"
		if version != "" {
			path = deployments + model
		}
	}
	u.Path, u.RawPath = path+"/", ""
	return u.String()
}

// at are the options that differ from model to model.
func (c *Client) at(model string) []option.RequestOption {
	return []option.RequestOption{option.WithBaseURL(c.opts.baseOf(model))}
}

// keyed are the options that carry the key to an endpoint, and the version in its
// address. A gateway in front of Azure may want the key in either header.
func (o Options) keyed() []option.RequestOption {
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil
	}
	var out []option.RequestOption
	version := u.Query().Get("api-version")
	if version != "" {
		out = append(out, option.WithQuery("api-version", version))
	}
	if azure(u) || version != "" {
		out = append(out, option.WithHeader("api-key", o.APIKey))
	}
	if azure(u) {
		out = append(out, option.WithHeaderDel("Authorization"))
	}
	return out
}
