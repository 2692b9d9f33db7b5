package ${package};

import dev.tutti.testkit.junit.ExclusiveScanTck;

/** Tests each case of the standard matrix: groups, counts, types, reductions, modes. */
class ${algorithmName}Test implements ExclusiveScanTck<${algorithmName}> {}
