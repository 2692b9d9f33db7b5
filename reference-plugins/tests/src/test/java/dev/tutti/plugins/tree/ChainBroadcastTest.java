package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BroadcastTck;

class ChainBroadcastTest implements BroadcastTck<ChainBroadcast> {}
