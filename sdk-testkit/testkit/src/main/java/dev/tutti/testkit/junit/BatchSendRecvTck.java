package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.BatchSendRecvParam;

/**
 * The standard tests of an executor for batches of sends and receives:
 *
 * <pre>{@code
 * class StarTest implements BatchSendRecvTck<StarBatchSendRecv> {}
 * }</pre>
 *
 * @param <E> the executor; made by its constructor without parameters
 */
public interface BatchSendRecvTck<E extends CollExecutorBase<BatchSendRecvParam>>
    extends CollectiveTck<BatchSendRecvParam, E> {}
