package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.BroadcastTck;

class LinearBroadcastTest implements BroadcastTck<LinearBroadcast> {}
