package ${package};

import dev.tutti.testkit.junit.ScanTck;

/** The standard matrix, a test for each case: groups, counts, types, reductions, modes. */
class ${algorithmName}Test implements ScanTck<${algorithmName}> {}
