package example;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
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
    public void knowsOne() {
        assertTrue(Slug.isOne("two-words"));
    }

    @Test
    public void passesFromTheSecondRunOn() throws Exception {
        assertTrue("first run", !new File(".git/flaky-state").createNewFile());
    }
}
