package dev.tutti.plugin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * The providers that a {@link ServiceLoader} has found. None of their code has run.
 *
 * @param providers the providers whose classes could be loaded
 * @param errors the error texts of the others
 */
record ProviderOffer(List<ServiceLoader.Provider<?>> providers, List<String> errors) {

  /**
   * Finds all providers; the search continues after each error.
   *
   * @param mostErrors the number of errors after which the search stops
   */
  static ProviderOffer of(ServiceLoader<?> services, int mostErrors) {
    List<ServiceLoader.Provider<?>> providers = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    Iterator<? extends ServiceLoader.Provider<?>> iterator = services.stream().iterator();
    while (errors.size() <= mostErrors) {
      try {
        if (!iterator.hasNext()) {
          break;
        }
        providers.add(iterator.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        errors.add(String.valueOf(e.getMessage()));
      }
    }
    return new ProviderOffer(providers, errors);
  }

  /** The same offer with some of its providers. */
  ProviderOffer of(Predicate<Class<?>> wanted) {
    return new ProviderOffer(
        providers.stream().filter(each -> wanted.test(each.type())).toList(), errors);
  }

  /** The same offer with some of its providers, and with the errors whose texts name a place. */
  ProviderOffer of(Predicate<Class<?>> wanted, String place) {
    return new ProviderOffer(
        of(wanted).providers(), errors.stream().filter(each -> each.contains(place)).toList());
  }
}
