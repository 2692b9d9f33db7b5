package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BroadcastTck;

class ScatterAllGatherBroadcastTest implements BroadcastTck<ScatterAllGatherBroadcast> {}
