"use strict";
// Measurements of one operation, place and number of ranks as lines over size, and a map of the fastest at each size and number of ranks.
tutti.draw("charts", (host, data) => {
  const HEIGHT = 380;
  const LEFT = 64;
  const BOTTOM = 44;
  const TOP = 16;
  const COLOURS = 8;
  const MARKS = [
    (x, y) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`,
    (x, y) => `M${x - 4} ${y - 4}h8v8h-8Z`,
    (x, y) => `M${x} ${y - 5}l5 9h-10Z`,
    (x, y) => `M${x} ${y - 5}l5 5l-5 5l-5 -5Z`,
  ];

  const points = data.points;
  const distinct = values => [...new Set(values)];
  const algorithms = distinct(points.map(each => each.algorithm)).sort();
  const hidden = new Set();
  let chosen = null;
  let scales = null;

  const operation = select("Operation", distinct(points.map(each => each.operation)), () => refill());
  const place = select("Place", [], () => refill());
  const hops = distinct(points.map(each => each.hop).filter(each => each > 0)).sort((a, b) => a - b);
  const hop = select("Cache line", hops.map(each => each + " ns"), () => refill());
  const ranks = select("Ranks", [], draw);
  const value = select("Show", ["bus bandwidth", "time"], draw);
  const svg = tutti.shape("svg", {tabindex: 0, role: "application", "aria-roledescription": "chart", keydown: onKey, pointermove: onPoint, click: onPoint,
    "aria-label": "Measurements over size. Left and right go along a line, up and down from line to line."});
  const frame = tutti.element("div", {class: "frame"}, svg);
  const legend = tutti.element("div", {class: "tools legend", role: "group", "aria-label": "Lines that are shown"});
  const info = tutti.element("p", {class: "info", "aria-live": "polite"});
  const map = tutti.element("div", {class: "scroll map", tabindex: 0, role: "region", "aria-label": "The fastest at each size and number of ranks"});
  const explained = tutti.element("p", {class: "muted"});
  host.append(tutti.element("div", {class: "tools"}, operation.label, place.label, ranks.label, ...(hops.length > 1 ? [hop.label] : []), value.label), frame, legend, info,
    tutti.element("p", {class: "muted"}, "Bands are the ranges of the measurements."),
    tutti.element("h2", {}, "The fastest at each size and number of ranks"), map, explained);
  refill();
  tutti.onWidth(frame, draw);

  function select(name, values, change) {
    const input = tutti.element("select", {change});
    const chooser = {
      input, label: tutti.element("label", {}, name, input),
      fill(texts) {
        const before = input.value;
        input.replaceChildren(...texts.map(text => tutti.element("option", {value: text}, String(text))));
        if (texts.map(String).includes(before)) {
          input.value = before;
        }
      },
    };
    chooser.fill(values);
    return chooser;
  }

  /** Each choice depends on the choices before it. */
  function refill() {
    const ofOperation = points.filter(each => each.operation === operation.input.value && isOfState(each));
    place.fill(distinct(ofOperation.map(each => each.place)));
    ranks.fill(distinct(ofOperation.filter(each => each.place === place.input.value).map(each => each.ranks)).sort((a, b) => a - b));
    draw();
  }

  /** Whether a point belongs to the chosen state of the machine, which is the time of a cache line; a point without a state, such as one of another machine, always does. */
  function isOfState(point) {
    return hops.length < 2 || point.hop === 0 || point.hop + " ns" === hop.input.value;
  }

  /** The points to draw. A point of an unknown state counts only if there is no point of a known state. */
  function ofPlace() {
    const here = points.filter(each => each.operation === operation.input.value && each.place === place.input.value && isOfState(each));
    const key = each => [each.algorithm, each.ranks, each.bytes].join();
    const known = new Set(here.filter(each => each.hop > 0).map(key));
    return here.filter(each => each.hop > 0 || !known.has(key(each)));
  }

  function lines() {
    const here = ofPlace().filter(each => String(each.ranks) === ranks.input.value);
    return algorithms
      .map((name, index) => ({name, index, points: here.filter(each => each.algorithm === name).sort((a, b) => a.bytes - b.bytes)}))
      .filter(line => line.points.length > 0);
  }

  function keys() {
    const hasBytes = ofPlace().some(each => each.busbw > 0);
    return value.input.value === "time" || !hasBytes ? ["micros", "leastMicros", "mostMicros"] : ["busbw", "leastBusbw", "mostBusbw"];
  }

  function say(point) {
    return `${point.algorithm}, ${tutti.bytes(point.bytes)}: ${tutti.time(point.micros)} (${tutti.time(point.leastMicros)} to ${tutti.time(point.mostMicros)}), `
      + `${tutti.number(point.busbw)} GB/s`;
  }

  function draw() {
    const all = lines();
    const shown = all.filter(line => !hidden.has(line.name));
    drawLegend(all);
    drawMap();
    svg.replaceChildren();
    svg.setAttribute("height", HEIGHT);
    svg.setAttribute("viewBox", `0 0 ${Math.max(1, frame.clientWidth)} ${HEIGHT}`);
    const [key, low, high] = keys();
    const values = shown.flatMap(line => line.points.flatMap(each => [each[low], each[high], each[key]])).filter(each => each > 0);
    if (values.length === 0) {
      svg.append(tutti.shape("text", {x: LEFT, y: HEIGHT / 2}, "Nothing to show: choose a line, or time."));
      scales = null;
      return;
    }
    const sizes = shown.flatMap(line => line.points.map(each => Math.log2(Math.max(1, each.bytes))));
    const [left, right] = [Math.min(...sizes), Math.max(...sizes)];
    const [bottom, top] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)) + 1e-9)];
    const width = Math.max(80, frame.clientWidth - LEFT - 20);
    const x = bytes => LEFT + (right === left ? 0.5 : (Math.log2(Math.max(1, bytes)) - left) / (right - left)) * width;
    const y = each => HEIGHT - BOTTOM - (Math.log10(Math.max(each, 10 ** bottom)) - bottom) / Math.max(1, top - bottom) * (HEIGHT - BOTTOM - TOP);
    scales = {x, y, key, shown};
    drawAxes(x, y, left, right, bottom, top, width);
    for (const line of shown) {
      const colour = "c" + (line.index % COLOURS + 1);
      const there = line.points.map(each => `${x(each.bytes)} ${y(each[high])}`);
      const back = line.points.map(each => `${x(each.bytes)} ${y(each[low])}`).reverse();
      svg.append(tutti.shape("path", {class: `band ${colour}`, d: `M${[...there, ...back].join("L")}Z`}),
        tutti.shape("path", {class: `line ${colour}${line.points[0].beside ? " beside" : ""}`, d: `M${line.points.map(each => `${x(each.bytes)} ${y(each[key])}`).join("L")}`}));
      for (const each of line.points) {
        svg.append(tutti.shape("path", {class: `dot ${colour}${each === chosen ? " selected" : ""}`, d: MARKS[line.index % MARKS.length](x(each.bytes), y(each[key]))}));
      }
    }
  }

  function drawAxes(x, y, left, right, bottom, top, width) {
    const group = tutti.shape("g", {class: "axis"});
    const every = Math.max(1, Math.ceil((right - left) / Math.max(1, width / 70)));
    for (let power = Math.ceil(left); power <= right; power += every) {
      group.append(tutti.shape("line", {class: "rule", x1: x(2 ** power), x2: x(2 ** power), y1: TOP, y2: HEIGHT - BOTTOM}),
        tutti.shape("text", {x: Math.min(x(2 ** power), frame.clientWidth - 26), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle"}, tutti.bytes(2 ** power)));
    }
    for (let power = bottom; power <= top; power++) {
      group.append(tutti.shape("line", {class: "rule", x1: LEFT, x2: LEFT + width, y1: y(10 ** power), y2: y(10 ** power)}),
        tutti.shape("text", {x: LEFT - 6, y: y(10 ** power) + 4, "text-anchor": "end"}, keys()[0] === "micros" ? tutti.time(10 ** power) : tutti.number(10 ** power)));
    }
    group.append(tutti.shape("text", {x: LEFT + width, y: HEIGHT - 6, "text-anchor": "end"},
      `${keys()[0] === "micros" ? "time" : "busbw in GB/s"} over size`));
    svg.append(group);
  }

  function swatch(index) {
    return tutti.shape("svg", {viewBox: "0 0 24 12", "aria-hidden": "true"},
      tutti.shape("path", {class: `line c${index % COLOURS + 1}`, d: "M0 6H24"}), tutti.shape("path", {class: `dot c${index % COLOURS + 1}`, d: MARKS[index % MARKS.length](12, 6)}));
  }

  function drawLegend(all) {
    const focused = document.activeElement && legend.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    legend.replaceChildren(...all.map(line => tutti.element("button", {type: "button", "aria-pressed": !hidden.has(line.name), "data-name": line.name,
      click: () => {
        hidden[hidden.has(line.name) ? "delete" : "add"](line.name);
        draw();
      }}, swatch(line.index), line.name)));
    [...legend.children].filter(each => each.dataset.name === focused).forEach(each => each.focus());
  }

  /** Draws the fastest for each size and number of ranks; ignores points of other machines. */
  function drawMap() {
    const here = ofPlace().filter(each => !each.beside);
    const sizes = distinct(here.map(each => each.bytes)).sort((a, b) => a - b);
    const groups = distinct(here.map(each => each.ranks)).sort((a, b) => a - b);
    const table = tutti.element("table", {}, tutti.element("thead", {}, tutti.element("tr", {}, tutti.element("th", {scope: "col"}, "ranks"),
      ...sizes.map(size => tutti.element("th", {scope: "col"}, tutti.bytes(size))))));
    const body = tutti.element("tbody");
    for (const group of groups) {
      const row = tutti.element("tr", {}, tutti.element("th", {scope: "row"}, String(group)));
      for (const size of sizes) {
        const measured = here.filter(each => each.ranks === group && each.bytes === size).sort((a, b) => a.micros - b.micros);
        const [best, next] = measured;
        const isTie = next && next.leastMicros <= best.mostMicros;
        row.append(best ? tutti.element("td", {class: `win w${algorithms.indexOf(best.algorithm) % COLOURS + 1}`,
          title: measured.map(say).join("\n")}, best.algorithm + (isTie ? " ≈" : "")) : tutti.element("td", {}, "–"));
      }
      body.append(row);
    }
    table.append(body);
    map.replaceChildren(table);
    explained.textContent = "≈ marks a winner whose range overlaps that of the next one.";
  }

  // ---- choices of the reader

  function choose(point) {
    chosen = point;
    info.textContent = point ? say(point) : "";
    draw();
  }

  function onKey(event) {
    if (!scales || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) {
      return;
    }
    event.preventDefault();
    const at = scales.shown.findIndex(line => line.points.includes(chosen));
    if (at < 0) {
      choose(scales.shown[0].points[0]);
      return;
    }
    const line = scales.shown[at];
    const index = line.points.indexOf(chosen);
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      choose(line.points[Math.min(line.points.length - 1, Math.max(0, index + (event.key === "ArrowLeft" ? -1 : 1)))]);
    } else {
      const other = scales.shown[(at + (event.key === "ArrowUp" ? -1 : 1) + scales.shown.length) % scales.shown.length];
      choose(other.points.reduce((best, each) => Math.abs(Math.log2(each.bytes + 1) - Math.log2(chosen.bytes + 1)) < Math.abs(Math.log2(best.bytes + 1) - Math.log2(chosen.bytes + 1)) ? each : best));
    }
  }

  function onPoint(event) {
    if (!scales) {
      return;
    }
    const box = svg.getBoundingClientRect();
    const [atX, atY] = [event.clientX - box.left, event.clientY - box.top];
    let nearest = null;
    let least = 20;
    for (const each of scales.shown.flatMap(line => line.points)) {
      const distance = Math.hypot(scales.x(each.bytes) - atX, scales.y(each[scales.key]) - atY);
      if (distance < least) {
        [nearest, least] = [each, distance];
      }
    }
    if (nearest && nearest !== chosen) {
      choose(nearest);
    }
  }
});
