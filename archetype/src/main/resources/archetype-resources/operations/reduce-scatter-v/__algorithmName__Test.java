package ${package};

import dev.tutti.testkit.junit.ReduceScatterVTck;

/** The standard matrix, a test for each case: groups, counts, types, reductions, modes. */
class ${algorithmName}Test implements ReduceScatterVTck<${algorithmName}> {}
