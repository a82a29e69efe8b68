package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {
    @Test
    void containsItsStartAndNotItsEnd() {
        Span span = new Span(2, 4);
        assertTrue(span.contains(2));
        assertFalse(span.contains(4));
    }

    @ParameterizedTest
    @CsvSource({"3,10,7", "5,2,0"})
    void hasALength(int start, int end, int length) {
        assertEquals(length, new Span(start, end).length());
    }

    @Test
    void isEmptyWhereItEnds() {
        assertTrue(new Span(5, 2).isEmpty());
    }

    @Test
    void passesFromTheSecondRunOn() throws Exception {
        Path state = Path.of(System.getProperty("basedir"), ".git/flaky-state");
        boolean again = Files.exists(state);
        Files.writeString(state, "ran");
        assertTrue(again, "first run");
    }
}
