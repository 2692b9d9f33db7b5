package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ScatterTck;

class LinearScatterTest implements ScatterTck<LinearScatter> {}
