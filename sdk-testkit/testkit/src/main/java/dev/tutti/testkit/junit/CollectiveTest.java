package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs once for each case of a matrix.
 *
 * <pre>{@code
 * @CollectiveTest(value = RingAllReduce.class, ranks = {2, 3, 8}, counts = {0, 1, 1000})
 * void isRight(CaseCheck check) {
 *   assertThat(check.report()).isClean();
 * }
 * }</pre>
 *
 * <p>An empty axis has the values of {@link Matrix#standard(Operation)}, and so do the parameters
 * of the executors. If the operation can run in place, every check covers the case in place and
 * with separate buffers.
 *
 * <p>The method may have these parameters: a {@link CaseCheck}, the {@link
 * dev.tutti.verifier.matrix.CollectiveCase}, a {@link dev.tutti.verifier.VirtualCluster} of its
 * group, the request as rank 0 sees it (an {@link dev.tutti.sdk.param.OpParam} or its record), and
 * the executor, which is a new one for each case. If it fails, the report and the plan of its case
 * are published with it.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(CollectiveTestExtension.class)
public @interface CollectiveTest {

  /** The executor, or the sender and the receiver of a transfer. */
  Class<? extends CollExecutorBase<?>>[] value();

  /** Groups on one node, by their numbers of ranks. */
  int[] ranks() default {};

  /**
   * Groups as {@link dev.tutti.sdk.topology.Topology#parse} reads them, for example {@code "8+4"}
   * or {@code "4+4|4+4"}; {@code "2x(4+4)"} means the same pod twice, {@code "2x4"} the same node
   * twice. They come after {@link #ranks}.
   */
  String[] topologies() default {};

  /** Elements of the vector, or of each block if the operation has blocks. */
  long[] counts() default {};

  /** Element types; if only {@link #reductions} is given, all types that those support. */
  DataType[] types() default {};

  /** Reductions; if only {@link #types} is given, all reductions that support one of those. */
  ReduceOp[] reductions() default {};

  /** Roots, or senders; a number beyond the last rank of a group means the last rank. */
  int[] roots() default {};

  /** How bytes cross the links. */
  Protocol[] protocols() default {};

  /** How operations reach the caller's memory. */
  WorkflowMode[] modes() default {};

  /** The size of each CCL buffer in bytes; 0 for sizes that lead to one round and to several. */
  long cclBufferSize() default 0;

  /** The seed for data and schedules. */
  long seed() default 1;

  /**
   * Whether every combination is tested. By default, the small set of {@link
   * MatrixCases#covering(Matrix)} is tested.
   */
  boolean full() default false;
}
