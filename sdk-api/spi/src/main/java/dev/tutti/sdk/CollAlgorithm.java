package dev.tutti.sdk;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names an algorithm and makes its executor a service provider. The annotation processor of this
 * artifact lists the class in {@code META-INF/services/dev.tutti.sdk.CollExecutorBase}. If the
 * class cannot be a provider, the processor fails the build and explains why.
 *
 * <p>The class must extend {@link CollExecutorBase}, be public, not abstract and not an inner
 * class, and have a public constructor without parameters.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface CollAlgorithm {

  /**
   * The stable name, unique among the algorithms of one operation: lower-case letters, digits and
   * hyphens, starting with a letter, for example {@code "ring"}.
   */
  String name();

  /** One sentence: what it does and what it is good at. */
  String summary();

  /** The paper or system that the algorithm comes from; empty if it is the author's own. */
  String source() default "";

  /** The cost under the plain model, as text, for example {@code "2(p-1)α + 2(p-1)/p·nβ"}. */
  String formula() default "";

  /**
   * Topologies on which tests check the algorithm in addition to the usual ones, for example {@code
   * {"10", "8+8"}}. For an algorithm that accepts few groups or is made for one.
   */
  String[] shapes() default {};
}
