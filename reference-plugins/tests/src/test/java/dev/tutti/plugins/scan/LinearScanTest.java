package dev.tutti.plugins.scan;

import dev.tutti.testkit.junit.ScanTck;

class LinearScanTest implements ScanTck<LinearScan> {}
