package dev.tutti.plugins.scan;

import dev.tutti.testkit.junit.ExclusiveScanTck;

class DoublingExclusiveScanTest implements ExclusiveScanTck<DoublingExclusiveScan> {}
