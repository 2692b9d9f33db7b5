package ${package};

import dev.tutti.testkit.junit.GatherVTck;

/** The standard matrix, a test for each case: groups, counts, types, roots, modes, protocols. */
class ${algorithmName}Test implements GatherVTck<${algorithmName}> {}
