/** Rules for the code of plugins, to be checked in their builds. Needs ArchUnit. */
@NullMarked
package dev.tutti.testkit.arch;

import org.jspecify.annotations.NullMarked;
