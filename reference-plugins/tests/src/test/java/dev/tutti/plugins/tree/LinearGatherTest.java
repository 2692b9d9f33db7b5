package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.GatherTck;

class LinearGatherTest implements GatherTck<LinearGather> {}
