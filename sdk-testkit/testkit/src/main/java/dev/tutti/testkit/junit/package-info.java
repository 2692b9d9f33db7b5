/**
 * Tests of algorithms for JUnit Jupiter: {@link dev.tutti.testkit.junit.CollectiveTest} for a
 * method, {@link dev.tutti.testkit.junit.AllReduceTck} and its siblings for a class, and a test
 * engine that runs the standard tests of providers without tests of their own. Runs under JUnit
 * 5.14 and 6.
 */
@NullMarked
package dev.tutti.testkit.junit;

import org.jspecify.annotations.NullMarked;
