package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var java = Language{
	Name: "java", Title: "Java", Extensions: []string{".java"}, Grammar: "java",
	Tests: Tests{
		Compiled: true,
		Names:    pattern.New(`^Test[A-Z].*\.java$|(Test|Tests|TestCase|IT|ITCase)\.java$`),
		Mark:     pattern.New(`(?m)^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b|\bextends\s+TestCase\b`),
		Checks:   pattern.New(`\b\w*(?i:assert|verify|expect|fail|check|should|must|ensure|validate|approve|snapshot)\w*\s*\(|\bthrow\b|\bexpected\s*=|\bthen\(|\b(andExpect|andReturn|StepVerifier|ArchRule)\b|@(Property|Rule)\b`),
	},
	Project: Project{
		Manifests: []string{"pom.xml", "build.gradle", "build.gradle.kts"}, Locks: []string{"gradle.lockfile"},
		Settings: []string{"settings.gradle", "settings.gradle.kts"}, Versions: []string{".java-version", ".sdkmanrc"},
		Built: []string{"target", "build"}, Stale: []string{"target"},
	},
	Tools: Tools{
		Absent: true,
		Pass:   []string{"JAVA_HOME"},
		// Beside the repository lies a settings.xml with passwords.
		Homes: []Home{{Default: ".m2", Own: "maven", Lay: []string{"repository", "wrapper"},
			Copied: []string{"_remote.repositories", "resolver-status.properties", ".lastUpdated"},
			// The user that the code runs as has no home that Java would find.
			Set: []string{"MAVEN_OPTS=-Dmaven.repo.local={own}/repository -Duser.home={own}", "MAVEN_USER_HOME={own}"}},
			// Beside what Gradle has fetched lie its properties, with passwords.
			{Variable: "GRADLE_USER_HOME", Default: ".gradle", Own: "gradle", Lay: []string{"caches/modules-2", "wrapper"}, Copied: []string{".lock", ".bin", ".lck"}}},
	},
	Text: Text{Comment: "//", Fences: map[string]string{".java": "java"}, Opaque: javaText},
	Style: []Feature{
		{"JUnit 5", pattern.New(`org\.junit\.jupiter`)},
		{"JUnit 4", pattern.New(`import (static )?org\.junit\.(Test|Assert|Before)`)},
		{"AssertJ", pattern.New(`org\.assertj`)},
		{"parameterized tests", pattern.New(`@ParameterizedTest\b`)},
	},
	Policy: &Policy{
		Imports:  pattern.New(`^(java\.net|javax\.net|java\.rmi|java\.nio\.channels|java\.lang\.(reflect|invoke|instrument|foreign)|javax\.script|javax\.naming|sun|com\.sun|jdk|org\.apache\.http|org\.apache\.hc|okhttp3|com\.jcraft)(\.|$)`),
		Harmless: pattern.New(`^java\.net\.(URI|URISyntaxException|URLEncoder|URLDecoder|MalformedURLException|HttpURLConnection\.HTTP_\w+)$`),
		Env:      pattern.New(`^System\.getenv$`),
		Writes:   pattern.New(`(^|\.)Files\.(write|writeString|createFile|createDirectory|createDirectories|createLink|createSymbolicLink|delete|deleteIfExists|move|copy|setPosixFilePermissions|newOutputStream|newBufferedWriter)$|^new (FileWriter|FileOutputStream|RandomAccessFile)$`),
		Reads:    pattern.New(`(^|\.)Files\.(readAllBytes|readAllLines|readString|lines|list|walk|find|newInputStream|newBufferedReader|newDirectoryStream)$|^new (FileReader|FileInputStream)$`),
		Sleeps:   pattern.New(`(^|\.)Thread\.sleep$`),
		Servers:  []string{"java.net", "com.sun.net.httpserver"},
		Dials:    pattern.New(`^(openConnection|openStream|connect|getByName|getAllByName)$`),
	},
	Smells: []Smell{
		{
			Rule: "skipped", Call: pattern.New(`^((Assumptions|Assume)\.)?(assumeTrue|assumeFalse|assumingThat|assumeThat|assumeNotNull|abort)$`), Why: "does not run where it does not hold",
			Line: pattern.New(`^\s*@(Disabled|Ignore)\b`), Review: "A test that is disabled protects nothing.", Cure: "Repair it, or say with a condition when it runs.",
		},
		{
			Rule: "sleep", Line: pattern.New(`\bThread\.sleep\(\s*([1-9]\d{2,}|\d[\d_]*_\d+)|\bTimeUnit\.(SECONDS|MINUTES)\.sleep\(`),
			Review: slow, Cure: "Wait for the condition itself (a latch, a future, polling with a deadline).",
		},
		{Rule: "pause", Call: pattern.New(`\bTimeUnit\.\w+\.sleep$|^LockSupport\.park\w*$`), Why: "waits for time to pass"},
		{Rule: "env", Call: pattern.New(`(^|\.)System\.(getenv|setProperty|clearProperty|setProperties|setSecurityManager|setOut|setErr|setIn|load|loadLibrary)$`), Why: "depends on what is around the test, or changes it for others"},
		{Rule: "exit", Call: pattern.New(`(^|\.)System\.exit$|\.halt$|\.addShutdownHook$`), Why: "ends the process"},
		{Rule: "subprocess", Call: pattern.New(`^new ProcessBuilder$|(^|\.)exec$|(^|\.)ProcessBuilder\.\w+$`), Why: "runs another program"},
		{Rule: "network", Call: pattern.New(`^new (Socket|ServerSocket|DatagramSocket|URL|InetSocketAddress)$|(^|\.)(openConnection|openStream|toURL|newHttpClient)$|(^|\.)(HttpClient|InetAddress|SocketChannel|ServerSocketChannel|HttpServer)\.\w+$`), Why: "reaches for the network"},
		{Rule: "dynamic-import", Call: pattern.New(`(^|\.)Class\.forName$|\.(setAccessible|getDeclaredMethod|getDeclaredField|getDeclaredConstructor|loadClass|defineClass)$`), Why: "reaches what cannot be read from the text"},
		{Rule: "lint-off", Line: pattern.New(`@SuppressWarnings\b|@SuppressFBWarnings\b`), Why: "it silences a tool instead of heeding it"},
		{Rule: "clock", Line: pattern.New(`\bnew Random\(\s*\)|\bMath\.random\(|\bSystem\.(currentTimeMillis|nanoTime)\(|\b(Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime|OffsetDateTime|Year|YearMonth)\.now\(\s*\)|\b(ThreadLocalRandom|UUID\.randomUUID)\b`), Why: chance},
	},
}

// javaText matches strings, blocks of text and comments.
var javaText = pattern.New(`//[^\n]*|(?s:/\*.*?\*/)|(?s:"""(?:\\.|[^\\])*?""")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)
