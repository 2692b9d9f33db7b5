package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ExclusiveScanParam;

/**
 * The standard tests of an executor for exclusive scan:
 *
 * <pre>{@code
 * class StarTest implements ExclusiveScanTck<StarExclusiveScan> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface ExclusiveScanTck<E extends CollExecutorBase<ExclusiveScanParam>>
    extends CollectiveTck<ExclusiveScanParam, E> {}
