package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goes through everything public that takes no null, and gives it null. */
class NullArgumentsTest {

  private static final String[] PACKAGES = {
    "dev.tutti.sdk",
    "dev.tutti.sdk.param",
    "dev.tutti.plan",
    "dev.tutti.sdk.resource",
    "dev.tutti.sdk.template",
    "dev.tutti.sdk.topology",
    "dev.tutti.host",
    "dev.tutti.host.call",
    "dev.tutti.engine.machine",
    "dev.tutti.engine.trace",
    "dev.tutti.plugin",
    "dev.tutti.host.pool",
    "dev.tutti.host.pool.rules",
    "dev.tutti.host.status",
  };

  /** Methods for which the language or the library defines the exception, or allows null. */
  private static final Set<String> OF_THE_LANGUAGE = Set.of("equals", "valueOf", "compareTo");

  /** The check itself takes null, and an exception accepts any arguments. */
  private static final Set<String> EXCEPTED = Set.of("Arguments", "TuttiException");

  /** Interfaces that only the host implements; their own code is checked directly. */
  private static final Set<Class<?>> OF_THE_HOST =
      Set.of(GroupCalls.class, MovingCalls.class, ReducingCalls.class);

  private static final int DEPTH = 4;

  private final Context context = SampleAlgorithms.context();
  private final Map<Class<?>, Object> samples = new HashMap<>();
  private final Map<Class<?>, Boolean> cannotBeMade = new HashMap<>();
  private final Set<String> unseen = new TreeSet<>();
  private final List<String> wrong = new ArrayList<>();
  private int checks;

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void nullIsRefusedWithACodeThatNamesTheParameter() {
    Group group = context.createGroup(2);
    samples.put(Context.class, context);
    samples.put(Group.class, group);
    samples.put(RankHandle.class, group.rank(0));
    samples.put(GroupCalls.class, group);
    samples.put(MovingCalls.class, group.rank(0));
    samples.put(ReducingCalls.class, group.rank(0));
    samples.put(String.class, "1");
    samples.put(MemorySegment.class, MemorySegment.ofArray(new byte[8]));
    samples.put(Duration.class, Duration.ofSeconds(1));
    samples.put(List.class, List.of());
    samples.put(Iterable.class, List.of());
    samples.put(Map.class, Map.of());
    samples.put(Set.class, Set.of());
    List<? extends Class<?>> classes = classes();
    // Objects that were made for some classes, such as a request builder, serve others.
    classes.forEach(each -> sample(each, DEPTH));
    cannotBeMade.clear();
    classes.forEach(this::check);

    assertThat(wrong).isEmpty();
    assertThat(checks).isGreaterThan(300);
    assertThat(unseen).as("methods of what the test cannot make").hasSizeLessThan(40);
  }

  private static List<? extends Class<?>> classes() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PACKAGES)
            .stream()
            .filter(type -> Arrays.asList(PACKAGES).contains(type.getPackageName()))
            .map(JavaClass::reflect)
            .filter(NullArgumentsTest::isPublic)
            .filter(NullArgumentsTest::isDelivered)
            .filter(type -> !EXCEPTED.contains(type.getSimpleName()))
            .sorted(Comparator.comparing(Class::getName))
            .toList();
  }

  /** Not of the tests. */
  private static boolean isDelivered(Class<?> type) {
    return Stream.of(Group.class, Names.class, GroupPlan.class, MachineModel.class, PluginSet.class)
        .anyMatch(delivered -> placeOf(type).equals(placeOf(delivered)));
  }

  private static URL placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnnotation()
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }

  private void check(Class<?> type) {
    Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
        .filter(each -> !Modifier.isAbstract(each.getModifiers()) || each instanceof Constructor<?>)
        .filter(each -> !OF_THE_LANGUAGE.contains(each.getName()))
        .sorted(Comparator.comparing(Executable::toString))
        .forEach(each -> check(type, each));
  }

  private void check(Class<?> type, Executable called) {
    if (called instanceof Constructor<?> && Modifier.isAbstract(type.getModifiers())) {
      return;
    }
    Parameter[] parameters = called.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (!takesNull(parameters[i])) {
        check(type, called, i);
      }
    }
  }

  private static boolean takesNull(Parameter parameter) {
    AnnotatedElement annotated = parameter.getAnnotatedType();
    return parameter.getType().isPrimitive() || annotated.isAnnotationPresent(Nullable.class);
  }

  private void check(Class<?> type, Executable called, int missing) {
    if (isOfImplementers(type, called)) {
      return;
    }
    boolean isStatic = called instanceof Constructor<?> || Modifier.isStatic(called.getModifiers());
    Object target = isStatic ? null : sample(type, DEPTH);
    if (!isStatic && target == null) {
      unseen.add(called.toString());
      return;
    }
    @Nullable Object[] arguments = arguments(called, DEPTH);
    arguments[missing] = null;
    checks++;
    String what = called + ", " + called.getParameters()[missing].getName();
    try {
      called.setAccessible(true);
      Object ignored = call(target, called, arguments);
      wrong.add(what + ": no error");
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      boolean isCoded =
          thrown instanceof TuttiException coded
              && coded.code() == ErrorCode.INVALID_ARGUMENT
              && String.valueOf(coded.getMessage()).endsWith(" must not be null; give a value");
      if (!isCoded) {
        wrong.add(what + ": " + thrown);
      }
    } catch (ReflectiveOperationException e) {
      wrong.add(what + ": " + e);
    }
  }

  private static @Nullable Object call(
      @Nullable Object target, Executable called, @Nullable Object[] arguments)
      throws ReflectiveOperationException {
    return called instanceof Constructor<?> constructor
        ? constructor.newInstance(arguments)
        : ((Method) called).invoke(target, arguments);
  }

  private @Nullable Object[] arguments(Executable called, int depth) {
    return Arrays.stream(called.getParameterTypes()).map(each -> sample(each, depth - 1)).toArray();
  }

  /** Whether a method is in an interface that a test cannot implement as the host does. */
  private static boolean isOfImplementers(Class<?> type, Executable called) {
    return type.isInterface()
        && !type.isSealed()
        && !OF_THE_HOST.contains(type)
        && !Modifier.isStatic(called.getModifiers());
  }

  /** Something of a type, or null if it cannot be made. */
  private @Nullable Object sample(Class<?> type, int depth) {
    if (samples.containsKey(type)) {
      return samples.get(type);
    }
    Object made = isKnownInVain(type, depth) ? null : made(type, depth);
    if (made != null) {
      samples.put(type, made);
    } else if (depth == DEPTH) {
      cannotBeMade.put(type, true);
    }
    return made;
  }

  private boolean isKnownInVain(Class<?> type, int depth) {
    return depth < 0 || cannotBeMade.containsKey(type);
  }

  private @Nullable Object made(Class<?> type, int depth) {
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 1);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface() && !type.isSealed()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    }
    if (type.isSealed()) {
      return Arrays.stream(type.getPermittedSubclasses())
          .map(each -> sample(each, depth - 1))
          .filter(each -> each != null)
          .findFirst()
          .orElse(null);
    }
    return type.getName().startsWith("dev.tutti") ? constructed(type, depth) : null;
  }

  private @Nullable Object constructed(Class<?> type, int depth) {
    List<Executable> makers = new ArrayList<>();
    for (Method method : type.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())
          && Modifier.isStatic(method.getModifiers())
          && type.isAssignableFrom(method.getReturnType())) {
        makers.add(method);
      }
    }
    makers.addAll(Arrays.asList(type.getConstructors()));
    for (Object owner : List.copyOf(samples.values())) {
      for (Method method : owner == null ? new Method[0] : owner.getClass().getMethods()) {
        boolean isOurs = owner.getClass().getName().startsWith("dev.tutti.");
        if (isOurs && method.getReturnType() == type && method.getParameterCount() <= 1) {
          Object made = tried(owner, method, depth);
          if (made != null) {
            return made;
          }
        }
      }
    }
    makers.sort(
        Comparator.comparing(Executable::getParameterCount).thenComparing(Object::toString));
    for (Executable maker : makers) {
      Object made = tried(null, maker, depth);
      if (made != null) {
        return made;
      }
    }
    return null;
  }

  private @Nullable Object tried(@Nullable Object target, Executable maker, int depth) {
    try {
      return call(target, maker, arguments(maker, depth));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
