package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.GatherVTck;

class BinomialGatherVTest implements GatherVTck<BinomialGatherV> {}
