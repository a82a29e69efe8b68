package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumTest {
  static int attempts = 0;

  @Test void adds() { assertEquals(3, 1 + 2); }
  @Test void fails() { System.out.println("printed <here> & there"); assertEquals(4, 1 + 2, "a < b & \"c\""); }
  @Test void throwsException() { throw new IllegalStateException("boom"); }
  @Test @Disabled("not now") void disabled() { }
  @Test void aborted() { assumeTrue(false, "assumption not met"); }
  @Test void flaky() { assertEquals(2, ++attempts); }
  @ParameterizedTest @ValueSource(ints = {1, 2}) void params(int n) { assertEquals(2, n); }
  @Nested class Inner { @Test @DisplayName("keeps <names> ünïcode") void named() { } }
}
