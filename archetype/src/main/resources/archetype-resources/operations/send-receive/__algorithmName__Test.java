package ${package};

import dev.tutti.testkit.junit.SendReceiveTck;

/** The standard matrix, a test for each case: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements SendReceiveTck<${algorithmName}Send, ${algorithmName}Receive> {}
