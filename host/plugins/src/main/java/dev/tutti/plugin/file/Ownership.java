package dev.tutti.plugin.file;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * The owners of files. A host keeps its state in files that only its own user owns, because the
 * owner of a file can change it, whatever its permissions are. Clients reach the host through these
 * files.
 */
public final class Ownership {

  private static final Path THIS_PROCESS = Path.of("/proc/self");

  private Ownership() {}

  /**
   * Refuses a file or directory of another user, and a link of another user or to such a file. A
   * missing file has no owner. On systems without owners, all files are accepted.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} that names both users
   */
  public static void require(Path path) {
    requireOwn(path, LinkOption.NOFOLLOW_LINKS);
    requireOwn(path);
  }

  private static void requireOwn(Path path, LinkOption... options) {
    UserPrincipal owner = owner(path, options);
    UserPrincipal user = owner == null ? null : user(path);
    if (owner == null || user == null || owner.equals(user)) {
      return;
    }
    throw new TuttiException(
        ErrorCode.PLUGIN_STATE,
        "%s belongs to user %s, and this process runs as user %s; run it as user %s, or name a"
            + " state directory of user %s",
        path,
        owner.getName(),
        user.getName(),
        owner.getName(),
        user.getName());
  }

  private static @Nullable UserPrincipal owner(Path path, LinkOption... options) {
    try {
      return Files.exists(path, options) ? Files.getOwner(path, options) : null;
    } catch (IOException | UnsupportedOperationException e) {
      return null; // A file that cannot be read cannot be used either, and its use reports why.
    }
  }

  /** The user of this process: the owner of its entry in /proc, or else the user of its name. */
  private static @Nullable UserPrincipal user(Path sibling) {
    try {
      return Files.isDirectory(THIS_PROCESS)
          ? Files.getOwner(THIS_PROCESS)
          : sibling
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(System.getProperty("user.name", ""));
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }
}
