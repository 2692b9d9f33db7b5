package dev.tutti.host.pool.rules;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.machine.MachineModel.Level;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonText;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Files of machine models, read as strictly as files of rules. */
final class CalibrationFile {

  private static final String FORMAT = "tutti-machine 1";
  private static final String WHAT = "machine file";
  private static final List<String> COSTS =
      List.of(
          "start",
          "task",
          "operand",
          "share",
          "handOver",
          "tasklet",
          "warmByte",
          "reducedByte",
          "streamedByte",
          "foreignByte");

  private CalibrationFile() {}

  static Calibration read(Path path) {
    String file = String.valueOf(path.getFileName());
    JsonFields root =
        new JsonFields(JsonFile.read(path, WHAT), "a " + WHAT, ErrorCode.INVALID_RULES);
    try {
      root.requireKnown(List.of("format", "provenance", "error", "nanos", "levels"));
      if (!root.text("format").equals(FORMAT)) {
        throw broken("'format' must be '" + FORMAT + "'. Actual: '" + root.text("format") + "'");
      }
      return new Calibration(
          model(root),
          ProfileReader.provenance(root.required("provenance")),
          root.decimal("error"),
          path.toString());
    } catch (TuttiException e) {
      ErrorCode code =
          e.code() == ErrorCode.UNKNOWN_NAME ? ErrorCode.UNKNOWN_NAME : ErrorCode.INVALID_RULES;
      throw new TuttiException(code, e, "%s: %s", file, e.getMessage());
    }
  }

  private static TuttiException broken(String message) {
    return new TuttiException(ErrorCode.INVALID_RULES, "%s", message);
  }

  private static MachineModel model(JsonFields root) {
    JsonFields nanos = root.object("nanos");
    nanos.requireKnown(COSTS);
    double[] costs = COSTS.stream().mapToDouble(nanos::decimal).toArray();
    List<Level> levels = new ArrayList<>();
    for (Node node : root.list("levels")) {
      JsonFields level = new JsonFields(node, "a level", ErrorCode.INVALID_RULES);
      level.requireKnown(List.of("bytes", "readByte", "writtenByte"));
      levels.add(
          new Level(
              level.number("bytes"), level.decimal("readByte"), level.decimal("writtenByte")));
    }
    return new MachineModel(
        costs[0], costs[1], costs[2], costs[3], costs[4], costs[5], costs[6], costs[7], costs[8],
        costs[9], levels);
  }

  static void write(Calibration calibration, Path file) {
    JsonFile.write(file, WHAT, text(calibration));
  }

  private static String text(Calibration calibration) {
    MachineModel model = calibration.model();
    StringJoiner fields = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
    fields.add("\"format\": \"" + FORMAT + "\"");
    fields.add(
        "\"provenance\": "
            + JsonText.object(json -> RulesWriter.provenance(json, calibration.provenance())));
    fields.add("\"error\": " + calibration.error());
    fields.add("\"nanos\": " + numbers(costs(model)));
    StringJoiner levels = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
    for (Level level : model.levels()) {
      Map<String, Number> numbers = new LinkedHashMap<>();
      numbers.put("bytes", level.bytes());
      numbers.put("readByte", level.readByte());
      numbers.put("writtenByte", level.writtenByte());
      levels.add(numbers(numbers));
    }
    fields.add("\"levels\": " + levels);
    return fields.toString();
  }

  private static Map<String, Number> costs(MachineModel model) {
    double[] costs = {
      model.start(),
      model.task(),
      model.operand(),
      model.share(),
      model.handOver(),
      model.tasklet(),
      model.warmByte(),
      model.reducedByte(),
      model.streamedByte(),
      model.foreignByte()
    };
    Map<String, Number> named = new LinkedHashMap<>();
    for (int i = 0; i < costs.length; i++) {
      named.put(COSTS.get(i), costs[i]);
    }
    return named;
  }

  private static String numbers(Map<String, Number> named) {
    StringJoiner fields = new StringJoiner(", ", "{", "}");
    named.forEach((name, number) -> fields.add("\"" + name + "\": " + number));
    return fields.toString();
  }
}
