package dev.tutti.plugin;

import dev.tutti.sdk.TuttiException;
import java.util.Comparator;

/**
 * The order of plugin versions: by their numbers, and then a version with a qualifier, such as
 * {@code 1.2.0-rc1}, before the one without. Texts that are not versions come first, in text order.
 */
public final class VersionOrder implements Comparator<String> {

  /** The order. */
  public static final VersionOrder INSTANCE = new VersionOrder();

  private VersionOrder() {}

  @Override
  public int compare(String left, String right) {
    boolean isLeft = isVersion(left);
    boolean isRight = isVersion(right);
    if (!isLeft || !isRight) {
      return isLeft == isRight ? left.compareTo(right) : Boolean.compare(isLeft, isRight);
    }
    int order = Version.parse(left).compareTo(Version.parse(right));
    if (order != 0) {
      return order;
    }
    int released = Boolean.compare(isReleased(left), isReleased(right));
    return released != 0 ? released : left.compareTo(right);
  }

  private static boolean isReleased(String version) {
    return version.indexOf('-') < 0;
  }

  private static boolean isVersion(String text) {
    try {
      Version.parse(text);
      return true;
    } catch (TuttiException e) {
      return false;
    }
  }
}
