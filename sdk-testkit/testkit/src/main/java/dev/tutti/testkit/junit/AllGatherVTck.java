package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * The standard tests of an executor for all-gather with inputs of different sizes:
 *
 * <pre>{@code
 * class StarTest implements AllGatherVTck<StarAllGatherV> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface AllGatherVTck<E extends CollExecutorBase<AllGatherVParam>>
    extends CollectiveTck<AllGatherVParam, E> {}
