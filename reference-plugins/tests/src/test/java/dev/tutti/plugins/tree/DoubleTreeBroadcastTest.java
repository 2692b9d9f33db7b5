package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BroadcastTck;

class DoubleTreeBroadcastTest implements BroadcastTck<DoubleTreeBroadcast> {}
