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

    public boolean isEmpty() {
        return length() == 0;
    }
}
