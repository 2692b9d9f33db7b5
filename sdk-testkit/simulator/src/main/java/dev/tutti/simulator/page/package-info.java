/**
 * Reports as single HTML files: markup, pages, and the data of drawings that a page's scripts make.
 */
@NullMarked
package dev.tutti.simulator.page;

import org.jspecify.annotations.NullMarked;
