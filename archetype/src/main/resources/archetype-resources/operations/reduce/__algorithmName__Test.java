package ${package};

import dev.tutti.testkit.junit.ReduceTck;

/** Tests each case of the standard matrix: groups, counts, types, reductions, roots, modes. */
class ${algorithmName}Test implements ReduceTck<${algorithmName}> {}
