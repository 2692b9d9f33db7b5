/** Creates plugin projects from the files of the archetype. */
@NullMarked
package dev.tutti.cli.project;

import org.jspecify.annotations.NullMarked;
