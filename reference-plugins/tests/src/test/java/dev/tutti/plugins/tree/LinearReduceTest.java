package dev.tutti.plugins.tree;

import dev.tutti.testkit.junit.ReduceTck;

class LinearReduceTest implements ReduceTck<LinearReduce> {}
