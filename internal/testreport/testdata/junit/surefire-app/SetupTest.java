package app;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SetupTest {
  @BeforeAll static void broken() { throw new IllegalStateException("before all broke"); }
  @Test void neverRuns() { }
}
