package dev.tutti.plugins.reproducible;

import dev.tutti.testkit.junit.AllReduceTck;

class ReproducibleAllReduceTest implements AllReduceTck<ReproducibleAllReduce> {}
