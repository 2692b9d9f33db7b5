package dev.tutti.simulator.page;

import java.util.List;

/** A script that pages may have. */
public enum PageScript {
  /** The functions that the other scripts share. */
  PAGE("page.js"),
  /** Rows of actions over time or steps: zoom, pan, tooltips, a filter by rank, findings. */
  LANES("lanes.js"),
  /** Rows of a simulation, with what-if sliders; needs LANES. */
  SIMULATION("simulation.js"),
  /** A square for each pair of ranks. */
  HEAT("heat.js"),
  /** Measurements over size, and the fastest at each size and number of ranks. */
  CHARTS("charts.js");

  private final String file;

  PageScript(String file) {
    this.file = file;
  }

  /** This script and those that it calls. */
  List<PageScript> withNeeded() {
    return switch (this) {
      case PAGE -> List.of(PAGE);
      case LANES, HEAT, CHARTS -> List.of(PAGE, this);
      case SIMULATION -> List.of(PAGE, LANES, SIMULATION);
    };
  }

  /** The name of its file, beside this class. */
  String file() {
    return file;
  }
}
