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
}
