package dev.tutti.plugins.alltoall;

import dev.tutti.testkit.junit.AllToAllTck;

class HierarchicalAllToAllTest implements AllToAllTck<HierarchicalAllToAll> {}
