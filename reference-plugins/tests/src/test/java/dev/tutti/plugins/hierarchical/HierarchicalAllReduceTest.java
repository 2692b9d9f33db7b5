package dev.tutti.plugins.hierarchical;

import dev.tutti.testkit.junit.AllReduceTck;

class HierarchicalAllReduceTest implements AllReduceTck<HierarchicalAllReduce> {}
