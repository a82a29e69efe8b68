package diagnosis

import "sync"

// machine are causes that lie in the machine, in whichever program's words.
var machine = []Cause{
	{Pattern: "(?m)(?:gyp ERR! (?:stack Error|find).* not found: make|make(?:\\[\\d+\\])?: \\S*(?:gcc|g\\+\\+|cc|c\\+\\+|clang)\\S*: (?:No such file|not found)|error: command '\\S*(?:gcc|g\\+\\+|cc|clang)\\S*' failed: No such file|\\S*(?:gcc|g\\+\\+|cc|clang): (?:command )?not found|C compiler \"\\S+\" not found|cgo: C compiler .* not found|linker `\\S+` not found|No CMAKE_CXX?_COMPILER could be found|Unable to find a compatible Visual Studio|[Uu]nable to (?:find|locate) (?:a |the )?(?:suitable |C\\+?\\+? )*compiler)",
		Kind: compiler, Says: "a part of it is compiled, and there is no C compiler here", Cure: "install one before"},
	{Pattern: `(?m)^.*fatal error: (\S+\.h(?:pp)?): No such file or directory`, Kind: compiler, Says: "a part of it is compiled, and the header $1 is not here", Cure: "install the development package of the library that has it before"},
	{Pattern: `(?m)gyp ERR! find Python|Could not find any Python installation to use`, Kind: program, Says: "a part of it is compiled with node-gyp, which needs Python", Cure: "put python3 on PATH"},
	{Pattern: `(?m)(?:sh|bash|\d+): (?:\d+: |line \d+: )?([\w@./+-]+): (?:command )?not found\s*$|command not found: (\S+)`, Kind: program, Says: "the program $1 is not here", Cure: "install it before, in a step of the job or with setup-command"},
	{Pattern: `(?m)make(?:\[\d+\])?: ([\w@./+-]+): (?:No such file or directory|not found)`, Kind: program, Says: "the program $1 is not here", Cure: "install it before, in a step of the job or with setup-command"},
	{Pattern: `(?m)(?:spawn|exec:) "?([\w@./+-]+)"? ?(?:ENOENT|: executable file not found)|executable file "?([\w@./+-]+)"? not found|[Cc]ouldn't find the binary (\S+)`, Kind: program, Says: "the program $1 is not here", Cure: "install it before, in a step of the job or with setup-command"},
	{Pattern: `(?m)(?:ENOSPC|No space left on device)`, Kind: program, Says: "the disk is full", Cure: "free some of it, or choose another --output-dir"},
	{Pattern: `(?m)(?:self[- ]signed certificate|unable to get local issuer certificate|CERTIFICATE_VERIFY_FAILED|certificate signed by unknown authority|UnknownIssuer|UNABLE_TO_VERIFY_LEAF_SIGNATURE)`, Kind: network, Says: "the certificate of the registry is not trusted here", Cure: "name the authority's file in NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or PIP_CERT"},
	{Pattern: `(?im)(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|network timeout|socket timeout|timeout awaiting|getaddrinfo|name or service not known|temporary failure in name resolution|no such host|dns error|connection refused|connection reset|connection timed out|timed out while|operation timed out|i/o timeout|read timed out|readtimeout|connecttimeout|network is unreachable|failed to establish a new connection|could not resolve host|all attempts to connect|connection error|ConnectionRefused|DNSResolveFailed|FailedToOpenSocket)`,
		Kind: network, Says: notAnswering, Cure: letReach},
	{Pattern: `(?im)(?:^User for \S+:|Username for 'https?:|Password for |could not read Username|Permission denied \(publickey|terminal prompts disabled)`, Kind: refused, Says: "a repository that it fetches asks who is there", Cure: "give the job a token for it (a credential helper of git), or a registry that has it"},
	{Pattern: `(?m)^(?:npm error |➤ YN\d+: │ |\s*)?fatal: .*(?:does not appear to be a git repository|repository .* not found|not found)`, Kind: Missing, Says: "a repository that it fetches with git is not there", Cure: "correct its address"},
}

// systems are package managers of a machine, with the command that installs a C
// compiler.
var systems = []struct{ program, command string }{
	{"apt-get", "sudo apt-get install -y build-essential"},
	{"apk", "apk add build-base"},
	{"dnf", "sudo dnf install -y gcc gcc-c++ make"},
	{"pacman", "sudo pacman -S --noconfirm base-devel"},
	{"brew", "xcode-select --install"},
}

// installers are all causes for which installing and building fail: what a registry or
// a lock file is about first, as an installer says it in its own words, then what lies
// in the machine, then the scripts, whose words may be any.
var installers = sync.OnceValue(func() Table { return New(node, python, golang, machine, pythonBuild, packaged, scripts) })
