package ${package};

import dev.tutti.testkit.junit.AllToAllVTck;

/** The standard matrix, a test for each case: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements AllToAllVTck<${algorithmName}> {}
