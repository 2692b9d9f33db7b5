package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ScatterVTck;

class BinomialScatterVTest implements ScatterVTck<BinomialScatterV> {}
