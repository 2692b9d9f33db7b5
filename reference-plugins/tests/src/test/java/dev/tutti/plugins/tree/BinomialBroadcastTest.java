package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BroadcastTck;

class BinomialBroadcastTest implements BroadcastTck<BinomialBroadcast> {}
