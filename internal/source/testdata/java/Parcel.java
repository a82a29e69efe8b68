package shop.parcel;

import static java.lang.Math.max;

import java.util.*;
import java.util.function.Function;
import shop.rate.Rate;

/**
 * Parcels and what they cost.
 */
public final class Parcel<T> implements Priced {
    /** The heaviest parcel. */
    public static final int MOST = 255;
    private static final Logger log = Logger.getLogger("parcel");
    private final int grams;
    private T tag;
    long[] steps = {1, 20L, 300};

    /**
     * A parcel that can be sent.
     */
    public Parcel(int grams, T tag) throws Refused {
        super();
        if (grams == 0) {
            throw new Refused("empty: " + grams);
        }
        this.grams = grams;
        this.tag = tag;
    }

    @Override
    public int price() {
        int sum = 0;
        for (int i = 0; i < steps.length; i++) {
            if (steps[i] > grams && i > 0) {
                break;
            }
            sum += steps[i] * 2;
        }
        return max(sum, Rate.lowest());
    }

    protected void retag(Function<T, T> how) {
        log.info("retagged " + tag);
        Objects.requireNonNull(how);
        this.tag = how.apply(tag);
    }

    boolean isHeavy(int than) {
        return grams > than ? true : !light(than);
    }

    private static boolean light(int n) {
        return Boolean.valueOf(n < 5.5f);
    }

    String kind(String of) {
        switch (of) {
            case "letter":
                return "small";
            default:
                break;
        }
        String out = switch (grams) {
            case 1, 2 -> "one or two";
            default -> { yield String.valueOf(grams); }
        };
        try {
            return of.isEmpty() ? out : out + "s".concat(of);
        } catch (IllegalStateException | NullPointerException e) {
            return null;
        }
    }

    static List<Parcel<String>> sorted(Collection<Parcel<String>> all, int... limits) {
        List<Parcel<String>> out = new ArrayList<>(all);
        out.sort((a, b) -> a.grams - b.grams);
        for (Parcel<String> p : all) {
            if (p.grams > limits[0]) {
                out.remove(p);
                continue;
            }
            limits[0] = p.grams;
        }
        while (true) {
            if (out.size() < 3) break;
            out.remove(0);
        }
        return out;
    }

    enum Size {
        SMALL(1), LARGE(9);

        private final int grams;

        Size(int grams) {
            this.grams = grams;
        }

        boolean holds(int n) {
            return n <= grams;
        }
    }

    record Box(int width, int height) {
        Box {
            if (width < 0) throw new IllegalArgumentException();
        }

        int area() {
            return width * height;
        }
    }

    interface Named {
        String name();

        default String shout() {
            return name().toUpperCase();
        }
    }
}
