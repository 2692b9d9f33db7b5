package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ScatterTck;

class BinomialScatterTest implements ScatterTck<BinomialScatter> {}
