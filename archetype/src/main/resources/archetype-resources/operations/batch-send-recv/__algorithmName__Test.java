package ${package};

import dev.tutti.testkit.junit.BatchSendRecvTck;

/** Tests each case of the standard matrix: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements BatchSendRecvTck<${algorithmName}> {}
