package ${package};

import dev.tutti.testkit.junit.BarrierTck;

/** The standard matrix, a test for each case: groups, modes, protocols. */
class ${algorithmName}Test implements BarrierTck<${algorithmName}> {}
