package ${package};

import dev.tutti.testkit.junit.BarrierTck;

/** Tests each case of the standard matrix: groups, modes, protocols. */
class ${algorithmName}Test implements BarrierTck<${algorithmName}> {}
