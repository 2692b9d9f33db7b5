package ${package};

import dev.tutti.testkit.junit.ReduceTck;

/** The standard matrix, a test for each case: groups, counts, types, reductions, roots, modes. */
class ${algorithmName}Test implements ReduceTck<${algorithmName}> {}
