package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.AllReduceTck;

class DoubleTreeAllReduceTest implements AllReduceTck<DoubleTreeAllReduce> {}
