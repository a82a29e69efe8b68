package example;

/** Makes of a title what can stand in an address. */
public final class Slug {
    private Slug() {
    }

    public static String of(String title) {
        StringBuilder out = new StringBuilder();
        for (char c : title.toLowerCase().toCharArray()) {
            if (Character.isLetterOrDigit(c)) {
                out.append(c);
            } else if (out.length() > 0 && out.charAt(out.length() - 1) != '-') {
                out.append('-')
            }
        }
        return out.toString().replaceAll("-$", "");
    }
}
