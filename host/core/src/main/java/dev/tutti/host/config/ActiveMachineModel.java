package dev.tutti.host.config;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Provenance;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings with the model of a machine file, if the file fits this machine.
 *
 * @param settings the settings, with the model of the file if it fits this machine
 * @param notes a sentence about the file if it does not fit
 */
public record ActiveMachineModel(HostSettings settings, List<String> notes) {

  /** Takes the model of a file, unless it was measured on another kind of machine. */
  public static ActiveMachineModel of(
      @Nullable Calibration file, HostSettings settings, int workers) {
    if (file == null) {
      return new ActiveMachineModel(settings, List.of());
    }
    List<String> differences = file.provenance().differencesTo(Provenance.here(workers, Map.of()));
    if (!differences.isEmpty()) {
      return new ActiveMachineModel(
          settings,
          List.of(
              Sentence.of(
                  "the machine model of %s was measured elsewhere and is ignored: %s; run 'tutti"
                      + " tune --model' here",
                  file.origin(), String.join("; ", differences))));
    }
    return new ActiveMachineModel(settings.withMachine(file.model(), file.toString()), List.of());
  }
}
