package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ReduceTck;

class ChainReduceTest implements ReduceTck<ChainReduce> {}
