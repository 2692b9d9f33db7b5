package ${package};

import dev.tutti.testkit.junit.ReduceScatterTck;

/** Tests each case of the standard matrix: groups, counts, types, reductions, modes. */
class ${algorithmName}Test implements ReduceScatterTck<${algorithmName}> {}
