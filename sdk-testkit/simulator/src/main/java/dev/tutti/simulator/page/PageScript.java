package dev.tutti.simulator.page;

/** A script that pages may have. */
public enum PageScript {
  /** What the other scripts share. */
  PAGE("page.js"),
  /** Rows of actions over time or steps: zoom, pan, tooltips, a filter by rank, findings. */
  LANES("lanes.js");

  private final String file;

  PageScript(String file) {
    this.file = file;
  }

  /** The name of its file, beside this class. */
  String file() {
    return file;
  }
}
