package ${package};

import dev.tutti.testkit.junit.BroadcastTck;

/** Tests each case of the standard matrix: groups, counts, types, roots, modes, protocols. */
class ${algorithmName}Test implements BroadcastTck<${algorithmName}> {}
