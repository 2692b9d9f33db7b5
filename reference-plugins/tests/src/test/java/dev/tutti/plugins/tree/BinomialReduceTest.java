package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ReduceTck;

class BinomialReduceTest implements ReduceTck<BinomialReduce> {}
