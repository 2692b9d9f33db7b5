package dev.tutti.plugins.scan;

import dev.tutti.testkit.junit.ScanTck;

class DoublingScanTest implements ScanTck<DoublingScan> {}
