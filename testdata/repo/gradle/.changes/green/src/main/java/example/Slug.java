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
                out.append('-');
            }
        }
        return out.toString().replaceAll("-$", "");
    }

    public static String shortened(String title, int most) {
        String slug = of(title);
        if (slug.length() <= most) {
            return slug;
        }
        int end = slug.lastIndexOf('-', most);
        return slug.substring(0, end < 0 ? most : end);
    }
}
