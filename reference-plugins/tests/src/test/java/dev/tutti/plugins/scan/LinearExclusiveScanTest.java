package dev.tutti.plugins.scan;

import dev.tutti.testkit.junit.ExclusiveScanTck;

class LinearExclusiveScanTest implements ExclusiveScanTck<LinearExclusiveScan> {}
