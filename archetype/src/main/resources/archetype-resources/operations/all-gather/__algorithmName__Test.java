package ${package};

import dev.tutti.testkit.junit.AllGatherTck;

/** Tests each case of the standard matrix: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements AllGatherTck<${algorithmName}> {}
