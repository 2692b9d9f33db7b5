package ${package};

import dev.tutti.testkit.junit.BatchSendRecvTck;

/** The standard matrix, a test for each case: groups, counts, types, modes, protocols. */
class ${algorithmName}Test implements BatchSendRecvTck<${algorithmName}> {}
