package example;

/** A span from start up to, and without, end. */
public final class Span {
    public final int start;
    public final int end;

    public Span(int start, int end) {
        this.start = start;
        this.end = Math.max(start, end);
    }

    public int length() {
        return end - start;
    }

    public boolean contains(int n) {
        return start <= n && n < end;
    }

    /** What both spans have, or null. */
    public Span overlap(Span other) {
        int from = Math.max(start, other.start);
        int to = Math.min(end, other.end);
        if (from < to) {
            return new Span(from, to);
        }
        return null;
    }
}
