package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ReduceTck;

class RabenseifnerReduceTest implements ReduceTck<RabenseifnerReduce> {}
