"use strict";
// A square for each pair of ranks. A darker square means that the link is busy for longer.
tutti.draw("heat", (host, data) => {
  const count = data.labels.length;
  const most = data.cells.reduce((longest, each) => Math.max(longest, each[2]), 0);
  const shades = 6;
  const known = new Map(data.cells.map(each => [each[0] * count + each[1], each]));
  const info = tutti.element("p", {class: "info", "aria-live": "polite"}, "Rows send, columns receive. Choose a square to read what crosses it.");
  const svg = tutti.shape("svg", {tabindex: 0, role: "application", "aria-roledescription": "heat map",
    "aria-label": host.getAttribute("aria-label") + ". Arrow keys go from square to square.", keydown: onKey, click: onPoint, pointermove: onPoint});
  const frame = tutti.element("div", {class: "frame"}, svg);
  const scale = tutti.element("ul", {class: "key"});
  for (let shade = 1; shade <= shades; shade++) {
    scale.append(tutti.element("li", {}, tutti.shape("svg", {viewBox: "0 0 24 12", "aria-hidden": "true"},
      tutti.shape("rect", {width: 24, height: 12, class: "heat-" + shade})), `up to ${tutti.bytes(most * shade / shades)}`));
  }
  host.append(frame, scale, info);
  let chosen = [0, 0];

  const LETTER = 7.2;
  const TOP = 26;
  const labelWidth = Math.max(...data.labels.map(each => String(each).length)) * LETTER;

  function size() {
    const left = Math.max(28, labelWidth + 12);
    return {left, cell: Math.min(36, (Math.max(120, frame.clientWidth) - left - 4) / count)};
  }

  function draw() {
    const {left, cell} = size();
    const height = TOP + cell * count + 4;
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${Math.max(1, frame.clientWidth)} ${height}`);
    svg.replaceChildren();
    for (let at = 0; at < count; at += Math.ceil(18 / cell)) {
      svg.append(tutti.shape("text", {x: left - 6, y: TOP + (at + 0.5) * cell + 4, "text-anchor": "end"}, data.labels[at]));
    }
    for (let at = 0; at < count; at += Math.ceil((labelWidth + 8) / cell)) {
      const x = Math.min(left + (at + 0.5) * cell, frame.clientWidth - labelWidth / 2 - 2);
      svg.append(tutti.shape("text", {x, y: TOP - 6, "text-anchor": "middle"}, data.labels[at]));
    }
    svg.append(tutti.shape("rect", {x: left, y: TOP, width: cell * count, height: cell * count, class: "heat-0"}));
    for (const [from, to, bytes] of data.cells) {
      const shade = Math.max(1, Math.ceil(bytes / most * shades));
      svg.append(tutti.shape("rect", {x: left + to * cell, y: TOP + from * cell, width: Math.max(1, cell - 1), height: Math.max(1, cell - 1),
        class: "heat-" + (most === 0 ? 1 : shade), "data-from": from, "data-to": to}));
    }
    svg.append(tutti.shape("rect", {x: left + chosen[1] * cell, y: TOP + chosen[0] * cell, width: cell, height: cell, class: "chosen"}));
  }

  function choose(from, to) {
    chosen = [Math.min(count - 1, Math.max(0, from)), Math.min(count - 1, Math.max(0, to))];
    const cell = known.get(chosen[0] * count + chosen[1]);
    const pair = `from ${data.name} ${data.labels[chosen[0]]} to ${data.labels[chosen[1]]}`;
    info.textContent = cell ? `${pair}: ${tutti.bytes(cell[2])} in ${cell[3]} ${cell[3] === 1 ? "message" : "messages"} across ${cell[4]}` : `${pair}: nothing`;
    draw();
  }

  function onKey(event) {
    const by = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (by) {
      event.preventDefault();
      choose(chosen[0] + by[0], chosen[1] + by[1]);
    }
  }

  function onPoint(event) {
    const {left, cell} = size();
    const box = svg.getBoundingClientRect();
    const [to, from] = [event.clientX - box.left - left, event.clientY - box.top - TOP].map(place => Math.floor(place / cell));
    if (from >= 0 && to >= 0 && from < count && to < count && (from !== chosen[0] || to !== chosen[1] || event.type === "click")) {
      choose(from, to);
    }
  }

  tutti.onWidth(frame, draw);
  draw();
});
