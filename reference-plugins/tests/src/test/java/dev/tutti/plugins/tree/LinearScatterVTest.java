package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ScatterVTck;

class LinearScatterVTest implements ScatterVTck<LinearScatterV> {}
