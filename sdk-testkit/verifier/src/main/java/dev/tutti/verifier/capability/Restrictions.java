package dev.tutti.verifier.capability;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The only table of JDK members that plugins may use. The host's link check compares the references
 * in class files with it. The host's guards compare the calls of a running plugin with it. The
 * rules for a plugin's own build report the same problems earlier. A member that the table does not
 * name is refused. Class names have slashes. Immutable and thread-safe.
 */
public final class Restrictions {

  private static final String TABLE = "restrictions.txt";
  private static final String AND_BELOW = " and below";
  private static final String EVERYWHERE = "everywhere";
  private static final String ALL = "*";

  private final Map<String, Line> packages = new HashMap<>();
  private final Map<String, Line> packagesAndBelow = new HashMap<>();
  private final Map<String, OfClass> classes = new HashMap<>();
  private final Map<String, Line> everywhere = new HashMap<>();

  /** An entry of the table. It has no restriction if the use is free. */
  private record Line(@Nullable Restriction restriction) {

    static Line of(String verdict) {
      return switch (verdict) {
        case "free" -> new Line(null);
        case "never" -> new Line(Restriction.NEVER);
        default -> new Line(Restriction.of(Capability.of(verdict).orElseThrow()));
      };
    }
  }

  /** The entries for a class and for its members, by name or by name and parameters. */
  private static final class OfClass {
    private @Nullable Line whole;
    private final Map<String, Line> members = new HashMap<>();
  }

  /** Reads the table. */
  public Restrictions() {
    String place = "";
    for (String line : lines()) {
      if (line.startsWith(" ")) {
        add(place, line.strip().split(" ", -1));
      } else {
        place = line;
      }
    }
  }

  /** The lines of the table, without its comments. */
  static List<String> lines() {
    try (InputStream table = Restrictions.class.getResourceAsStream(TABLE)) {
      byte[] bytes = Objects.requireNonNull(table, TABLE).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + TABLE, e);
    }
  }

  private void add(String place, String[] words) {
    Line line = Line.of(words[0]);
    boolean isBelow = place.endsWith(AND_BELOW);
    String packageName = place.replace(AND_BELOW, "").replace('.', '/');
    for (String entry : List.of(words).subList(1, words.length)) {
      if (place.equals(EVERYWHERE)) {
        everywhere.put(entry, line);
      } else if (entry.equals(ALL)) {
        (isBelow ? packagesAndBelow : packages).put(packageName, line);
      } else {
        addToClass(packageName, entry, line);
      }
    }
  }

  private void addToClass(String packageName, String entry, Line line) {
    int dot = entry.indexOf('.');
    String name = packageName + "/" + (dot < 0 ? entry : entry.substring(0, dot));
    OfClass ofClass = classes.computeIfAbsent(name, key -> new OfClass());
    if (dot < 0) {
      ofClass.whole = line;
    } else {
      for (String member : entry.substring(dot + 1).split("\\|", -1)) {
        ofClass.members.put(member, line);
      }
    }
  }

  /**
   * The restriction of a member of the JDK. The entry of the class that the reference names
   * decides, also for members that this class inherits.
   *
   * @param owner the class, with slashes
   * @param name the field, the method, or {@code <init>}
   * @param descriptor its type
   * @return null if it is free
   */
  public @Nullable Restriction of(String owner, String name, String descriptor) {
    OfClass ofClass = classes.get(owner);
    Line found = ofClass == null ? null : find(ofClass.members, name, descriptor);
    if (found == null) {
      found = find(everywhere, name, descriptor);
    }
    return found == null ? of(owner) : found.restriction();
  }

  /**
   * The restriction of a class itself. It applies to extending or implementing the class, and to
   * all members that the table does not name.
   *
   * @return null if it is free
   */
  public @Nullable Restriction of(String type) {
    OfClass ofClass = classes.get(type);
    Line found = ofClass == null ? null : ofClass.whole;
    if (found == null) {
      found = packages.get(packageOf(type));
    }
    for (String at = packageOf(type); found == null && !at.isEmpty(); at = packageOf(at)) {
      found = packagesAndBelow.get(at);
    }
    return found == null ? Restriction.UNKNOWN : found.restriction();
  }

  /** Whether some members of a class are free, although the class itself may not be. */
  public boolean hasFreeMembers(String type) {
    OfClass ofClass = classes.get(type);
    return ofClass != null
        && ofClass.members.values().stream().anyMatch(line -> line.restriction() == null);
  }

  /**
   * The restriction of a member if only its name is known. If several members have the name, one
   * whose restriction is not lifted.
   *
   * @return null if all of them are free or their restrictions are lifted
   */
  public @Nullable Restriction strictest(String owner, String name, Set<Capability> granted) {
    OfClass ofClass = classes.get(owner);
    Stream<Line> overloads =
        Stream.concat(
                ofClass == null ? Stream.empty() : ofClass.members.entrySet().stream(),
                everywhere.entrySet().stream())
            .filter(member -> member.getKey().startsWith(name + "("))
            .map(Map.Entry::getValue);
    return Stream.concat(overloads, Stream.of(new Line(of(owner, name, ""))))
        .filter(line -> isKept(line.restriction(), granted))
        .map(Line::restriction)
        .findFirst()
        .orElse(null);
  }

  private static boolean isKept(@Nullable Restriction restriction, Set<Capability> granted) {
    return restriction != null && !restriction.isLifted(granted);
  }

  private static @Nullable Line find(Map<String, Line> members, String name, String descriptor) {
    Line found = members.get(name);
    if (members.isEmpty() || !descriptor.startsWith("(")) {
      return found;
    }
    Line exact = members.get(name + Parameters.text(descriptor));
    return exact == null ? found : exact;
  }

  private static String packageOf(String name) {
    int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(0, end);
  }
}
