package ${package};

import dev.tutti.testkit.junit.ScatterVTck;

/** Tests each case of the standard matrix: groups, counts, types, roots, modes, protocols. */
class ${algorithmName}Test implements ScatterVTck<${algorithmName}> {}
