package dev.tutti.plugin.store;

import java.time.Instant;

/**
 * A jar that is in the plugins directory now. Immutable.
 *
 * @param file its file name
 * @param sha256 the hash of its content; empty if it has not been read yet
 * @param plugin the id in its manifest; empty if there is a problem
 * @param version the version in its manifest; empty if there is a problem
 * @param problem why its manifest is not known, as part of a sentence: "is still being copied";
 *     empty if it is
 * @param modified when the file was written
 */
public record PresentJar(
    String file, String sha256, String plugin, String version, String problem, Instant modified) {}
