/**
 * Reports as single files: markup, HTML pages, the data of drawings that a page's scripts make, and
 * SVG pictures.
 */
@NullMarked
package dev.tutti.simulator.page;

import org.jspecify.annotations.NullMarked;
