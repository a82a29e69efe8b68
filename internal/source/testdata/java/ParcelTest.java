package shop.parcel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParcelTest {
    private Parcel<String> parcel;

    @BeforeEach
    void make() throws Refused {
        parcel = new Parcel<>(3, "x");
    }

    /** What it costs. */
    @Test
    void hasAPrice() {
        assertEquals(42, parcel.price());
        assertThat(parcel.kind("letter")).as("kind").isEqualTo("small");
    }

    @ParameterizedTest
    @CsvSource({"1,true", "9,false"})
    void isHeavy(int than, boolean heavy) {
        check(than, heavy);
    }

    private void check(int than, boolean heavy) {
        assertEquals(heavy, parcel.isHeavy(than));
    }

    @Nested
    class WhenEmpty {
        @Test
        void isRefused() {
            assertThrows(Refused.class, () -> new Parcel<>(0, ""));
        }
    }
}
