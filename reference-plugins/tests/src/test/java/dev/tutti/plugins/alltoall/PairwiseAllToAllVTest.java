package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllVTck;

class PairwiseAllToAllVTest implements AllToAllVTck<PairwiseAllToAllV> {}
