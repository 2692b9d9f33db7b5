package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.GatherTck;

class BinomialGatherTest implements GatherTck<BinomialGather> {}
