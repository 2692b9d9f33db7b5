package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.GatherVTck;

class LinearGatherVTest implements GatherVTck<LinearGatherV> {}
