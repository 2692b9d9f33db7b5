"use strict";
// When each action of a simulation runs, and how long the plan would take with other links.
tutti.draw("simulation", (host, data) => {
  const lanes = tutti.element("div", {role: "group", "aria-label": host.getAttribute("aria-label")});
  const items = data.lanes.items;
  const before = items.reduce((most, each) => Math.max(most, each[2]), 0);

  if (data.whatIf === null) {
    host.append(tutti.element("p", {class: "muted"},
      "There are no sliders for \u03b1 and \u03b2: they need the dependencies of all actions, and this plan has too many."), lanes);
    tutti.lanes(lanes, data.lanes);
    return;
  }

  const result = tutti.element("p", {class: "verdict", role: "status"});
  const alpha = slider("\u03b1, latency and overhead of a message", factor => data.links.map(link => `${link.level} ${tutti.time(link.micros * factor)}`));
  const beta = slider("\u03b2, time of a byte on a link",
    factor => data.links.map(link => link.bytesPerSecond === 0 ? `${link.level} free` : `${link.level} ${tutti.number(link.bytesPerSecond / 1e9 / factor)} GB/s`));
  host.append(tutti.element("fieldset", {class: "what-if"}, tutti.element("legend", {}, "What if the links were others?"),
    alpha.label, beta.label,
    tutti.element("button", {type: "button", click: reset}, "As simulated"), result,
    tutti.element("p", {class: "muted"}, "The sliders hold constant: the algorithm and its plan, the order in which actions take a port or a link,"
      + " the share that each message gets of a link that several use, and the times of reductions, copies and notifies."
      + " Where other links would change that order, a new simulation gives another time.")), lanes);
  tutti.lanes(lanes, data.lanes);
  show();

  function slider(name, values) {
    const input = tutti.element("input", {type: "range", min: -20, max: 20, step: 1, value: 0, "aria-label": name, input: show});
    const output = tutti.element("output");
    const factor = () => 10 ** (Number(input.value) / 20);
    return {
      input, factor,
      label: tutti.element("label", {}, tutti.element("span", {}, name), input, output),
      say() {
        const text = `\u00d7 ${tutti.number(factor())}: ${values(factor()).join(", ")}`;
        output.textContent = text;
        input.setAttribute("aria-valuetext", text);
      },
    };
  }

  function reset() {
    alpha.input.value = 0;
    beta.input.value = 0;
    show();
  }

  function show() {
    alpha.say();
    beta.say();
    const times = compute(alpha.factor(), beta.factor());
    const change = before === 0 ? 0 : (times.end / before - 1) * 100;
    result.textContent = `${tutti.time(times.end)}`
      + (Math.abs(change) < 0.05 ? ", as simulated" : `, ${tutti.number(Math.abs(change))} % ${change > 0 ? "more" : "less"} than the ${tutti.time(before)} of the simulation`);
    host.dataset.micros = times.end;
    lanes.showTimes(times.starts, times.ends, times.path);
  }

  /** Computes the times of all actions, each after the actions that it waits for. The times of the data are in picoseconds. */
  function compute(byAlpha, byBeta) {
    const starts = new Array(items.length).fill(0);
    const ends = new Array(items.length).fill(0);
    const causes = new Array(items.length).fill(-1);
    let last = -1;
    for (const line of data.whatIf) {
      const [index, ownAlpha, ownBeta, ownRest] = line;
      let start = 0;
      for (let at = 4; at < line.length; at += 4) {
        const ready = ends[line[at]] + (line[at + 1] * byAlpha + line[at + 2] * byBeta + line[at + 3]) / 1e6;
        if (ready > start || causes[index] < 0) {
          start = Math.max(start, ready);
          causes[index] = line[at];
        }
      }
      const own = (ownAlpha * byAlpha + ownBeta * byBeta + ownRest) / 1e6;
      ends[index] = start + own;
      // An await is drawn from the end of the action before it on its stream, which is its first cause.
      starts[index] = items[index][3] === "await" && line.length > 4 ? Math.min(ends[line[4]], ends[index]) : start;
      if (last < 0 || ends[index] > ends[last]) {
        last = index;
      }
    }
    const path = new Set();
    for (let index = last; index >= 0; index = causes[index]) {
      if (ends[index] > starts[index] && (items[index][3] === "copy" || items[index][3] === "reduce")) {
        path.add(index);
      }
    }
    return {starts, ends, path, end: last < 0 ? 0 : ends[last]};
  }
});
