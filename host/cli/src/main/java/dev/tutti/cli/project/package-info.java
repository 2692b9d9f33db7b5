/** Makes projects of plugins, out of the files of the archetype. */
@NullMarked
package dev.tutti.cli.project;

import org.jspecify.annotations.NullMarked;
