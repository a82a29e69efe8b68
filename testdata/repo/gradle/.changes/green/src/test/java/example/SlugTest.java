package example;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SlugTest {
    @Test
    public void joinsWords() {
        assertEquals("two-words", Slug.of("Two Words"));
    }

    @Test
    public void dropsSigns() {
        assertEquals("what-now", Slug.of(" What? Now!"));
    }

    @Test
    public void isEmptyWithoutLetters() {
        assertEquals("", Slug.of("?!"));
    }

    @Test
    public void keepsWhatIsShort() {
        assertEquals("a-b", Slug.shortened("a b", 3));
    }

    @Test
    public void endsAfterAWord() {
        assertEquals("one", Slug.shortened("one two", 5));
        assertEquals("lon", Slug.shortened("longer", 3));
    }
}
