package llm

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// TestTokensAreEstimatedFromAbove holds the estimate to a real vocabulary: on
// everything in the repository that could be part of a prompt, in pieces of the
// size of an excerpt, and on text that is nobody's language.
func TestTokensAreEstimatedFromAbove(t *testing.T) {
	t.Parallel()
	o200k := codec.NewO200kBase()
	estimated, real := map[string]int{}, map[string]int{}
	hold := func(kind, name, text string) {
		n, err := o200k.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		got := Tokens(text)
		estimated[kind] += got
		real[kind] += n
		if got < n {
			t.Errorf("%s: estimated %d tokens, it has %d: %.80q", name, got, n, text)
		}
	}
	for name, text := range written(t) {
		kind := filepath.Ext(name)
		for i := 0; len(text) > 0; i++ {
			part := text[:min(2000, len(text))]
			if i%3 == 0 {
				hold(kind, name, strings.ToValidUTF8(part, "?"))
			}
			text = text[len(part):]
		}
	}
	for name, text := range strange() {
		hold("strange", name, text)
	}
	for kind, n := range real {
		ratio := float64(estimated[kind]) / float64(n)
		t.Logf("%-8s %7d tokens, estimated %.2f of them", kind, n, ratio)
		if n > 2000 && kind != "strange" && ratio > 1.45 {
			t.Errorf("%s: estimated %d tokens, has %d: too far", kind, estimated[kind], n)
		}
	}
	if len(real) < 10 {
		t.Errorf("only %d kinds of text looked at", len(real))
	}
}

// written are the repository's files that people or tools wrote as text.
func written(t *testing.T) map[string]string {
	out := map[string]string{}
	root := filepath.Join("..", "..")
	seen := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" || d.Name() == ".venv" || strings.HasPrefix(d.Name(), ".") && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		ext := filepath.Ext(path)
		if !slices.Contains([]string{".go", ".ts", ".tsx", ".js", ".mjs", ".py", ".md", ".json", ".yaml", ".yml", ".toml", ".txtar", ".patch", ".csv", ".xml", ".sum", ".sh"}, ext) || seen[ext] == 60 {
			return nil
		}
		seen[ext]++
		raw, err := os.ReadFile(path)
		out[path] = string(raw[:min(len(raw), 20_000)])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// strange are texts without a grammar, each a kibibyte and more.
func strange() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	bytes := make([]byte, 900)
	for i := range bytes {
		bytes[i] = byte(random.IntN(256))
	}
	draw := func(from string) string {
		letters, text := []rune(from), strings.Builder{}
		for range 900 {
			text.WriteRune(letters[random.IntN(len(letters))])
		}
		return text.String()
	}
	return map[string]string{
		"base64": base64.StdEncoding.EncodeToString(bytes), "hex": hex.EncodeToString(bytes), "base32": strings.ToLower(base32.StdEncoding.EncodeToString(bytes)),
		"lower": draw("abcdefghijklmnopqrstuvwxyz"), "upper": draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "words": draw("abcdefghijklmnopqrstuvwxyz     "),
		"digits": draw("0123456789"), "signs": draw("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"), "spaced": draw("0 1 2 3 4 5"), "mixed": draw("aB0 -_;\n\t("),
		"blanks": draw(" \t\n"), "minified": strings.Repeat("function e(t,n){return t.a=n.b&&!t.c?{d:1}:void 0}", 30),
		"chinese": strings.Repeat("这个函数返回列表中所有元素的总和，如果列表为空则抛出异常。", 20), "japanese": strings.Repeat("この関数はリストの合計を返します。空の場合は例外を投げます。", 20),
		"korean": strings.Repeat("이 함수는 목록의 합계를 반환하며 비어 있으면 예외를 던집니다.", 20), "russian": strings.Repeat("Функция возвращает сумму элементов, если список не пуст. ", 20),
		"greek": strings.Repeat("Η συνάρτηση επιστρέφει το άθροισμα των στοιχείων. ", 20), "arabic": strings.Repeat("تعيد الدالة مجموع العناصر إذا لم تكن القائمة فارغة. ", 20),
		"hebrew": strings.Repeat("הפונקציה מחזירה את סכום האיברים ברשימה. ", 20), "hindi": strings.Repeat("यह फ़ंक्शन सूची के तत्वों का योग लौटाता है। ", 20),
		"thai": strings.Repeat("ฟังก์ชันนี้คืนค่าผลรวมของรายการ ", 20), "amharic": strings.Repeat("ይህ ተግባር የዝርዝሩን ድምር ይመልሳል ", 20), "german": strings.Repeat("Größenüberschreitungsprüfung schlägt für höhere Beträge fehl. ", 20),
		"emoji": strings.Repeat("🙂🚀👩‍💻🏳️‍🌈✅❌", 30), "rare": strings.Repeat("𐍈𒀀𓂀ꙮ᚛߷", 40), "boxes": strings.Repeat("┌──┬──┐│  │ └──┴──┘ ▓▒░ → ✓ ", 20),
	}
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat("func (c *Client) afford(messages []message, r Request) error {\n\tneed := 0\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Tokens(text)
	}
}
