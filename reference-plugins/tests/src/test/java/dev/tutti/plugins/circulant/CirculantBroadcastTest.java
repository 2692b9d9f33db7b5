package dev.tutti.plugins.circulant;

import dev.tutti.testkit.junit.BroadcastTck;

class CirculantBroadcastTest implements BroadcastTck<CirculantBroadcast> {}
