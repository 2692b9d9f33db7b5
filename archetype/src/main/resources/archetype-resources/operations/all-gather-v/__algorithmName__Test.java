package ${package};

import dev.tutti.testkit.junit.AllGatherVTck;

/** Tests each case of the standard matrix: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements AllGatherVTck<${algorithmName}> {}
