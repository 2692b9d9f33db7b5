package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllTck;

class PairwiseAllToAllTest implements AllToAllTck<PairwiseAllToAll> {}
