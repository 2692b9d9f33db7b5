package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllToAllVParam;

/**
 * The standard tests of an executor for all-to-all with blocks of different sizes:
 *
 * <pre>{@code
 * class StarTest implements AllToAllVTck<StarAllToAllV> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface AllToAllVTck<E extends CollExecutorBase<AllToAllVParam>>
    extends CollectiveTck<AllToAllVParam, E> {}
