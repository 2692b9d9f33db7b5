package dev.tutti.plugin.guard;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.guard.ClassWithUses.Use;
import dev.tutti.plugin.link.LinkCheck;
import dev.tutti.verifier.capability.Capability;
import dev.tutti.verifier.capability.Restriction;
import dev.tutti.verifier.capability.Restrictions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the table with the running JDK. */
class RestrictionsTest {

  private static final Restrictions TABLE = new Restrictions();
  private static final List<Class<?>> BASE = JdkTypes.of("java.base");

  private final LinkCheck check = new LinkCheck(TABLE, "0.1.0");

  private static @Nullable Restriction of(Use use) {
    return TABLE.of(use.ownerName(), use.name(), use.type());
  }

  private static boolean isFree(Use use) {
    return of(use) == null;
  }

  private static String capability(Use use) {
    Restriction restriction = of(use);
    if (restriction == null) {
      return "free";
    }
    return restriction.capability() == null ? "never" : restriction.capability().label();
  }

  private List<String> problems(List<Use> uses, Set<Capability> granted) {
    return check.check(new ClassWithUses(uses)::bytes, List.of("p.A"), granted).problems();
  }

  /**
   * A JDK that adds a member to a free class makes this fail: review the new members, add those
   * that are not harmless to the table, and then enter the new count and digest.
   */
  @Test
  void theFreeMembersAreThoseThatWereLookedAt() throws NoSuchAlgorithmException {
    Set<String> free = new TreeSet<>();
    BASE.stream()
        .flatMap(JdkTypes::members)
        .filter(RestrictionsTest::isFree)
        .forEach(use -> free.add(use.toString()));
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(String.join("\n", free).getBytes(StandardCharsets.UTF_8));

    assertThat(free.size() + " " + HexFormat.of().formatHex(digest, 0, 8))
        .isEqualTo("6651 4e923463942038aa");
  }

  @Test
  void noClassFreesWhatItInheritsFromOneThatRestrictsIt() {
    List<String> freed = new ArrayList<>();
    for (Class<?> type : BASE) {
      JdkTypes.inherited(type)
          .filter(use -> !isFree(use))
          .filter(use -> isFree(new Use(type, use.name(), use.type(), use.isStatic())))
          .forEach(use -> freed.add(type.getName() + " inherits " + use));
    }
    assertThat(freed).isEmpty();
  }

  @Test
  void theLinkCheckRefusesEachMemberAsTheTableSays() {
    for (Class<?> type : BASE) {
      List<Use> uses = JdkTypes.members(type).toList();
      List<Use> free = uses.stream().filter(RestrictionsTest::isFree).toList();
      assertThat(problems(free, Set.of())).as(type.getName()).isEmpty();
      for (Use use : uses.stream().filter(each -> !isFree(each)).limit(1).toList()) {
        String advice = Objects.requireNonNull(of(use)).advice();
        assertThat(problems(List.of(use), Set.of()))
            .as("%s", use)
            .singleElement()
            .asString()
            .endsWith(advice);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "threads",
        "files",
        "network",
        "processes",
        "native",
        "reflection",
        "environment",
        "clock",
        "random",
        "console"
      })
  void aCapabilityAllowsWhatItIsForAndNothingElse(String label) {
    Set<Capability> granted = Set.of(Capability.of(label).orElseThrow());
    for (Class<?> type : BASE) {
      List<Use> uses = JdkTypes.members(type).toList();
      List<Use> allowed = uses.stream().filter(use -> capability(use).equals(label)).toList();
      if (!allowed.isEmpty()) {
        assertThat(problems(allowed, granted)).as(type.getName()).isEmpty();
      }
    }
    assertThat(
            problems(
                List.of(new Use(Runtime.class, "halt", "(I)V", false)),
                Set.of(Capability.values())))
        .hasSize(1);
  }

  /** The entries of the table, as {@code package class member}; the last two may be empty. */
  private static List<String> entries() throws IOException {
    List<String> entries = new ArrayList<>();
    String place = "";
    try (InputStream table = Restrictions.class.getResourceAsStream("restrictions.txt")) {
      byte[] bytes = Objects.requireNonNull(table).readAllBytes();
      for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
        if (line.isBlank() || line.strip().startsWith("#")) {
          continue;
        }
        if (!line.startsWith(" ")) {
          place = line.replace(" and below", "");
          continue;
        }
        for (String entry : line.strip().split(" ", -1)) {
          String[] parts = entry.split("\\.", 2);
          for (String member : parts.length == 1 ? new String[] {""} : parts[1].split("\\|", -1)) {
            entries.add(place + " " + parts[0] + " " + member);
          }
        }
      }
    }
    return entries;
  }

  @Test
  void nothingIsNamedTwiceAndEverythingIsThere() throws IOException {
    Set<String> verdicts = new TreeSet<>(List.of("free", "never", "*"));
    Arrays.stream(Capability.values()).map(Capability::label).forEach(verdicts::add);
    Set<String> there = new TreeSet<>();
    Stream.of("java.base", "java.logging", "java.net.http", "java.prefs")
        .flatMap(module -> JdkTypes.of(module).stream())
        .forEach(
            type -> {
              String name =
                  type.getPackageName() + " " + type.getName().substring(packageLength(type));
              there.add(name + " ");
              JdkTypes.members(type)
                  .forEach(
                      use -> {
                        there.add(name + " " + use.name());
                        there.add(name + " " + use.name() + parameters(use.type()));
                      });
            });
    List<String> named =
        entries().stream()
            .filter(entry -> !entry.startsWith("everywhere "))
            .filter(entry -> !verdicts.contains(entry.split(" ", -1)[1]))
            .toList();

    assertThat(named).doesNotHaveDuplicates();
    assertThat(named.stream().filter(entry -> !there.contains(entry))).isEmpty();
  }

  private static int packageLength(Class<?> type) {
    return type.getPackageName().length() + 1;
  }

  private static String parameters(String type) {
    return type.startsWith("(")
        ? java.lang.constant.MethodTypeDesc.ofDescriptor(type).parameterList().stream()
            .map(each -> each.displayName())
            .collect(joining(",", "(", ")"))
        : "";
  }

  @ParameterizedTest
  @CsvSource({
    "java/lang/Invented, no plugin may do that, because it is not on the list",
    "java/util/Invented, no plugin may do that, because it is not on the list",
    "java/util/invented/Invented, no plugin may do that, because it is not on the list",
    "javax/swing/UIDefaults$ProxyLazyValue, no plugin may do that, because it is not on the list",
    "java/time/invented/Invented, ask for the capability 'clock'",
    "java/lang/ThreadGroup, 'no plugin may do that, because it changes or stops the whole host'",
  })
  void whatTheTableDoesNotNameIsRefused(String type, String advice) {
    assertThat(Objects.requireNonNull(TABLE.of(type)).advice()).startsWith(advice);
    assertThat(Objects.requireNonNull(TABLE.of(type, "x", "()V")).advice()).startsWith(advice);
    assertThat(TABLE.strictest(type, "x", Set.of())).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "java/util/Random, <init>, clock, false",
    "java/util/Random, <init>, random, true",
    "java/util/ArrayList, size, clock, true",
    "java/util/ArrayList, parallelStream, threads, true",
    "java/lang/Exception, printStackTrace, clock, false",
    "java/util/concurrent/ConcurrentHashMap, forEach, files, false",
    "java/util/concurrent/ConcurrentHashMap, get, files, true",
  })
  void aNameAloneMeansTheStrictestOverload(
      String type, String name, String granted, boolean isAllowed) {
    Set<Capability> capabilities = Set.of(Capability.of(granted).orElseThrow());
    assertThat(TABLE.strictest(type, name, capabilities) == null).isEqualTo(isAllowed);
  }

  @ParameterizedTest
  @CsvSource({
    "java/util/Collections, shuffle, (Ljava/util/List;)V, random",
    "java/util/Collections, shuffle, (Ljava/util/List;Ljava/util/Random;)V, ''",
    "java/util/concurrent/ConcurrentHashMap, forEach, (JLjava/util/function/BiConsumer;)V, threads",
    "java/util/concurrent/ConcurrentHashMap, forEach, (Ljava/util/function/BiConsumer;)V, ''",
    "java/util/Formatter, <init>, (Ljava/lang/String;Ljava/nio/charset/Charset;Ljava/util/Locale;)V,"
        + " files",
    "java/util/Formatter, <init>, (Ljava/lang/Appendable;)V, ''",
    "java/util/Formatter, <init>, (Ljava/lang/String, ''",
  })
  void overloadsAreToldApart(String type, String name, String descriptor, String capability) {
    Restriction restriction = TABLE.of(type, name, descriptor);
    assertThat(restriction == null ? "" : restriction.advice()).contains(capability);
    assertThat(restriction == null).isEqualTo(capability.isEmpty());
  }
}
