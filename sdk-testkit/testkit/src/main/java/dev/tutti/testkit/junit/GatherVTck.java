package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.GatherVParam;

/**
 * The standard tests of an executor for gather with inputs of different sizes:
 *
 * <pre>{@code
 * class StarTest implements GatherVTck<StarGatherV> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface GatherVTck<E extends CollExecutorBase<GatherVParam>>
    extends CollectiveTck<GatherVParam, E> {}
