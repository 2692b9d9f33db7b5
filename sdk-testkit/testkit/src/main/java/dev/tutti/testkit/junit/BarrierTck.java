package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.BarrierParam;

/**
 * The standard tests of an executor for barrier:
 *
 * <pre>{@code
 * class StarTest implements BarrierTck<StarBarrier> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface BarrierTck<E extends CollExecutorBase<BarrierParam>>
    extends CollectiveTck<BarrierParam, E> {}
