package ${package};

import dev.tutti.testkit.junit.ExclusiveScanTck;

/** The standard matrix, a test for each case: groups, counts, types, reductions, modes. */
class ${algorithmName}Test implements ExclusiveScanTck<${algorithmName}> {}
