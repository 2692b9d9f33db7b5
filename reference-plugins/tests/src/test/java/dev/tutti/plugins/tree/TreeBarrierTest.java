package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BarrierTck;

class TreeBarrierTest implements BarrierTck<TreeBarrier> {}
