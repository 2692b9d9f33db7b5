package ${package};

import dev.tutti.testkit.junit.SendReceiveTck;

/** Tests each case of the standard matrix: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements SendReceiveTck<${algorithmName}Send, ${algorithmName}Receive> {}
