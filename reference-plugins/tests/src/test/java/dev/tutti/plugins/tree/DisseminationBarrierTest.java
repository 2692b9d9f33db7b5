package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BarrierTck;

class DisseminationBarrierTest implements BarrierTck<DisseminationBarrier> {}
