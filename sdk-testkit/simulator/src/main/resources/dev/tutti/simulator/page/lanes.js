"use strict";
// Draws rows of actions. The horizontal view is [from, to] in the unit of the data; after each change, the script draws its content anew.
(() => {
  const BAR = 20;
  const TOP = 26;
  const LETTER = 7.6;
  const MOST_ARROWS = 3000;
  const NAMES = {copy: "copies bytes", reduce: "reduces bytes", post: "posts a notify", await: "awaits a notify", call: "enters or leaves"};

  let heads = 0;

  function item(data, raw, index) {
    const [row, from, to, kind, state, text, source, bytes] = raw;
    return {index, row, from, to, kind, state, bytes, text: data.texts[text], source: source < 0 ? null : data.texts[source]};
  }

  function lanes(host, data) {
    const items = data.items.map((raw, index) => item(data, raw, index));
    const arrows = data.arrows.map(([fromRow, from, toRow, to, kind, fromItem, toItem]) => ({fromRow, from, toRow, to, kind, fromItem, toItem}));
    const byRow = data.rows.map(() => []);
    items.filter(each => each.row >= 0).forEach(each => byRow[each.row].push(each));
    const isTime = data.unit === "microsecond";
    const full = whole();
    let path = new Set(data.path);
    const head = "head-" + ++heads;
    const LANE = data.rows.length > 16 ? 30 : 46;

    let view = {...full};
    let shown = data.rows.map((_, row) => row);
    let selected = null;
    let mark = data.marks.length > 0 ? data.marks[0] : null;

    function whole() {
      const end = items.reduce((most, each) => Math.max(most, each.to), isTime ? 0 : 1);
      return {from: 0, to: end > 0 ? end * 1.02 : 1};
    }

    // ---- controls

    const filter = tutti.element("input", {type: "text", placeholder: "all, or 0,3-5", input: filterRows});
    const choice = tutti.element("select", {change: () => showMark(choice.selectedIndex)},
      ...data.marks.map(each => tutti.element("option", {}, each.title)));
    const tools = tutti.element("div", {class: "tools"},
      button("−", "Zoom out", () => zoom(1.5)),
      button("+", "Zoom in", () => zoom(1 / 1.5)),
      button("←", "Move left", () => pan(-0.3)),
      button("→", "Move right", () => pan(0.3)),
      button("All", "Show all of it", () => look(full)),
      tutti.element("label", {}, "Ranks", filter));
    if (data.marks.length > 1) {
      tools.append(tutti.element("label", {}, "Finding", choice));
    }
    const svg = tutti.shape("svg", {tabindex: 0, role: "application", "aria-roledescription": "drawing",
      "aria-label": host.getAttribute("aria-label") + ". Arrow keys go from action to action, Enter follows an arrow, plus and minus zoom, 0 shows all.",
      keydown: onKey, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp,
      pointerleave: hideTip, wheel: onWheel, dblclick: event => zoom(0.5, at(event))});
    const frame = tutti.element("div", {class: "frame"}, svg);
    const info = tutti.element("p", {class: "info", "aria-live": "polite"}, "Choose an action to read what it does.");
    const tip = tutti.element("div", {class: "tip", hidden: ""});
    const bars = tutti.element("div", {class: "overlaps"});
    host.append(tools, frame, tip, key(), info, bars);
    if (data.note) {
      info.before(tutti.element("p", {class: "muted"}, data.note));
    }
    host.showMark = showMark;

    /** Moves the actions to other times, with their arrows and the critical path. */
    host.showTimes = (starts, ends, newPath) => {
      for (const arrow of arrows) {
        const [from, to] = arrow.kind === "notify" ? [starts[arrow.fromItem], ends[arrow.toItem]]
          : [arrow.fromItem, arrow.toItem].filter(each => each >= 0).slice(0, 1).flatMap(each => [starts[each], ends[each]]);
        arrow.from = from === undefined ? arrow.from : from;
        arrow.to = to === undefined ? arrow.to : to;
      }
      for (const each of items) {
        each.from = starts[each.index];
        each.to = ends[each.index];
      }
      path = newPath;
      const share = {from: view.from / full.to, to: view.to / full.to};
      Object.assign(full, whole());
      look({from: share.from * full.to, to: share.to * full.to});
    };
    host.setAttribute("data-rows", data.rows.length);

    function button(text, label, click) {
      return tutti.element("button", {type: "button", "aria-label": label, title: label, click}, text);
    }

    function key() {
      const used = new Set(items.filter(each => each.row >= 0).map(each => each.kind));
      const list = tutti.element("ul", {class: "key"});
      for (const kind of Object.keys(NAMES).filter(each => used.has(each))) {
        list.append(tutti.element("li", {}, tutti.shape("svg", {viewBox: "0 0 24 12", "aria-hidden": "true"},
          tutti.shape("rect", {width: 24, height: 12, class: kind})), NAMES[kind]));
      }
      const kinds = new Set([...arrows.map(each => each.kind), ...data.marks.flatMap(each => each.arrows.map(one => one.kind))]);
      if (path.size > 0) {
        list.append(tutti.element("li", {}, tutti.shape("svg", {viewBox: "0 0 24 12", "aria-hidden": "true"},
          tutti.shape("rect", {width: 22, height: 10, x: 1, y: 1, class: "copy path"})), "decides the time"));
      }
      const names = {notify: "a signal", transfer: "bytes of a peer", missing: "an order that is missing", wait: "waits for"};
      for (const kind of Object.keys(names).filter(each => kinds.has(each))) {
        list.append(tutti.element("li", {}, tutti.shape("svg", {viewBox: "0 0 24 12", "aria-hidden": "true"},
          tutti.shape("path", {d: "M0 6H24", class: "arrow " + kind})), names[kind]));
      }
      return list;
    }

    // ---- places

    // draw() reads the width once: after a change of the page, each read makes the browser lay out the whole page.
    let width = 0;

    function labelWidth() {
      return Math.min(150, Math.max(64, width * 0.22));
    }

    function plotWidth() {
      return Math.max(40, width - labelWidth() - 10);
    }

    function x(time) {
      return labelWidth() + (time - view.from) / (view.to - view.from) * plotWidth();
    }

    function at(event) {
      return view.from + (event.clientX - svg.getBoundingClientRect().left - labelWidth()) / plotWidth() * (view.to - view.from);
    }

    const place = new Map();

    function y(row) {
      return TOP + place.get(row) * LANE + LANE / 2;
    }

    // ---- the view

    function look(next) {
      const least = isTime ? (full.to - full.from) / 1e6 : 3;
      const width = Math.min(full.to - full.from, Math.max(least, next.to - next.from));
      const from = Math.min(Math.max(next.from, full.from), full.to - width);
      view = {from, to: from + width};
      draw();
    }

    function zoom(factor, around) {
      const centre = around === undefined ? selected ? (selected.from + selected.to) / 2 : (view.from + view.to) / 2 : around;
      look({from: centre - (centre - view.from) * factor, to: centre + (view.to - centre) * factor});
    }

    function pan(share) {
      const by = share * (view.to - view.from);
      look({from: view.from + by, to: view.to + by});
    }

    function filterRows() {
      const isWanted = tutti.ranks(filter.value);
      filter.setAttribute("aria-invalid", isWanted === null);
      if (isWanted === null) {
        info.textContent = "Ranks are numbers and ranges with commas between them: 0,3-5.";
        return;
      }
      shown = data.rows.map((_, row) => row).filter(row => data.rows[row].ranks.some(isWanted));
      info.textContent = shown.length === 0 ? "No row has such a rank." : "";
      draw();
    }

    function showMark(number) {
      mark = data.marks[number];
      choice.selectedIndex = number;
      const rows = mark.items.map(each => items[each].row);
      if (!rows.every(row => shown.includes(row))) {
        filter.value = "";
        filterRows();
      }
      const marked = mark.items.map(each => items[each]);
      if (marked.length > 0) {
        const from = Math.min(...marked.map(each => each.from));
        const to = Math.max(...marked.map(each => each.to));
        const margin = isTime ? (to - from) * 0.3 : 5;
        look({from: from - margin, to: to + margin});
        reveal(marked[0]);
      } else {
        draw();
      }
      drawOverlaps();
    }

    // ---- drawing

    function draw() {
      width = frame.clientWidth;
      place.clear();
      shown.forEach((row, index) => place.set(row, index));
      const height = TOP + shown.length * LANE + 6;
      svg.setAttribute("height", height);
      svg.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${height}`);
      const clip = head + "-clip";
      svg.replaceChildren(tutti.shape("defs", {}, ...["notify", "transfer", "missing", "wait"].map(marker),
        tutti.shape("clipPath", {id: clip}, tutti.shape("rect", {x: labelWidth(), y: 0, width: plotWidth() + 10, height}))));
      svg.append(axis(height), labels());
      const plot = tutti.shape("g", {"clip-path": `url(#${clip})`});
      svg.append(plot);
      const words = tutti.shape("g", {});
      shown.forEach(row => drawRow(plot, words, row));
      drawArrows(plot);
      plot.append(words);
      drawMark(plot);
    }

    function marker(kind) {
      return tutti.shape("marker", {id: head + kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
        markerUnits: "userSpaceOnUse", orient: "auto"}, tutti.shape("path", {d: "M0 0L8 4L0 8Z", class: "head " + kind}));
    }

    function axis(height) {
      const group = tutti.shape("g", {class: "axis"});
      for (const tick of tutti.ticks(view.from, view.to, plotWidth() / 90)) {
        if (isTime || Number.isInteger(tick)) {
          group.append(tutti.shape("line", {class: "rule", x1: x(tick), x2: x(tick), y1: TOP - 6, y2: height}),
            tutti.shape("text", {x: Math.min(x(tick), width - 26), y: 14, "text-anchor": "middle"}, isTime ? tutti.time(tick) : "step " + tick));
        }
      }
      return group;
    }

    function labels() {
      const group = tutti.shape("g", {class: "labels"});
      const most = Math.floor((labelWidth() - 8) / 6.4);
      for (const row of shown) {
        const label = data.rows[row].label;
        group.append(tutti.shape("text", {x: 6, y: y(row) + 4, "data-row": row}, label.length > most ? label.slice(0, most - 1) + "…" : label,
          tutti.shape("title", {}, label)));
      }
      return group;
    }

    function drawRow(plot, words, row) {
      plot.append(tutti.shape("line", {class: "rule", x1: labelWidth(), x2: width, y1: y(row), y2: y(row)}));
      let last = -Infinity;
      for (const each of byRow[row]) {
        if (each.to < view.from || each.from > view.to) {
          continue;
        }
        const left = x(each.from);
        const length = Math.max(3, x(each.to) - left);
        const isSpecial = each === selected || path.has(each.index) || (mark && mark.items.includes(each.index));
        if (left + length < last + 1 && !isSpecial) {
          continue;
        }
        last = left + length;
        const classes = ["item", each.kind, each.state === "runs" ? "" : each.state, mark && mark.items.includes(each.index) ? "marked" : "",
          path.has(each.index) ? "path" : "", each === selected ? "selected" : ""];
        plot.append(tutti.shape("rect", {x: left, y: y(row) - BAR / 2, width: length, height: BAR, rx: 3, "data-item": each.index,
          class: classes.filter(one => one).join(" ")}));
        const room = Math.floor((Math.min(left + length, width) - Math.max(left, labelWidth())) / 7) - 1;
        if (room >= 3 && each.state !== "unreached") {
          const text = each.text.length > room ? each.text.slice(0, room - 1) + "…" : each.text;
          words.append(tutti.shape("text", {class: "on", x: Math.max(left, labelWidth()) + 4, y: y(row) + 4}, text));
        }
      }
    }

    function drawArrows(plot) {
      const seen = arrows.filter(each => place.has(each.fromRow) && place.has(each.toRow)
        && Math.max(each.from, each.to) >= view.from && Math.min(each.from, each.to) <= view.to);
      if (seen.length > MOST_ARROWS) {
        plot.append(tutti.shape("text", {x: labelWidth() + 6, y: TOP + 2}, `zoom in to see ${seen.length} arrows`));
        return;
      }
      for (const each of seen) {
        const down = Math.sign(place.get(each.toRow) - place.get(each.fromRow));
        plot.append(tutti.shape("path", {class: "arrow " + each.kind, "marker-end": `url(#${head}${each.kind})`,
          d: `M${x(each.from)} ${y(each.fromRow) + down * BAR / 2}L${x(each.to)} ${y(each.toRow) - down * BAR / 2}`}));
      }
    }

    /** Draws the arrows of a mark. They are bent, so that two opposite arrows do not cover each other. */
    function drawMark(plot) {
      for (const arrow of mark ? mark.arrows : []) {
        const from = items[arrow.from];
        const to = items[arrow.to];
        if (!place.has(from.row) || !place.has(to.row)) {
          continue;
        }
        const {path: way, label, isRight} = markWay(from, to);
        plot.append(tutti.shape("path", {class: "arrow " + arrow.kind, "marker-end": `url(#${head}${arrow.kind})`, d: way}, tutti.shape("title", {}, arrow.label)));
        if (arrow.kind === "missing") {
          const room = arrow.label.length * LETTER;
          const left = Math.max(labelWidth(), Math.min(isRight ? label[0] + 8 : label[0] - 8 - room, width - room));
          plot.append(tutti.shape("text", {class: "missing", x: isRight ? left : left + room, y: label[1] + 4, "text-anchor": isRight ? "start" : "end"}, arrow.label));
        }
      }
    }

    /** The path of a mark's arrow, and a place for a label beside its middle. */
    function markWay(from, to) {
      const down = Math.sign(place.get(to.row) - place.get(from.row));
      const [x1, x2] = [x((from.from + from.to) / 2), x((to.from + to.to) / 2)];
      if (down !== 0 && Math.abs(x1 - x2) < 60) {
        // If one is above the other, the arrow goes around the side with enough space.
        const isRight = Math.max(x(from.to), x(to.to)) < labelWidth() + plotWidth() * 0.6;
        const [side1, side2] = isRight ? [x(from.to), x(to.to)] : [x(from.from), x(to.from)];
        const out = (isRight ? Math.max(side1, side2) + 44 : Math.min(side1, side2) - 44);
        const [y1, y2] = [y(from.row), y(to.row)];
        return {path: `M${side1} ${y1}C${out} ${y1} ${out} ${y2} ${side2} ${y2}`, label: [out + (isRight ? -10 : 10), (y1 + y2) / 2], isRight};
      }
      const [y1, y2] = [y(from.row) + (down || -1) * BAR / 2, y(to.row) - (down || 1) * BAR / 2];
      const bend = down === 0 ? [0, -LANE * 0.8] : [LANE * 0.7 * down, 0];
      const [cx, cy] = [(x1 + x2) / 2 + bend[0], (y1 + y2) / 2 + bend[1]];
      return {path: `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}`, label: [cx, (y1 + y2) / 2], isRight: cx < width * 0.6};
    }

    function drawOverlaps() {
      bars.replaceChildren();
      for (const each of mark ? mark.overlaps : []) {
        const [from1, to1, from2, to2] = each.spans;
        const low = Math.min(from1, from2);
        const scale = 100 / Math.max(1, Math.max(to1, to2) - low);
        const [from, to] = [Math.max(from1, from2), Math.min(to1, to2)];
        const bar = (left, right, kind) => tutti.shape("rect", {x: (left - low) * scale, y: 0, width: Math.max(0.5, (right - left) * scale), height: 10, class: "bytes " + kind});
        const row = (text, left, right, kind) => [tutti.element("div", {}, `${text} [${left}, ${right})`),
          tutti.shape("svg", {viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"}, bar(left, right, kind), bar(from, to, "both"))];
        bars.append(tutti.element("figure", {class: "overlap"},
          tutti.element("figcaption", {}, tutti.element("strong", {}, `Both use bytes [${from}, ${to}) of ${each.memory}`)),
          ...row(each.uses[0], from1, to1, "first"), ...row(each.uses[1], from2, to2, "second")));
      }
    }

    // ---- details of an action

    function describe(each) {
      const when = isTime ? `${tutti.time(each.from)} to ${tutti.time(each.to)}` : `step ${each.from}`;
      const fate = {runs: "", stuck: ", waits for ever", unreached: ", never reached"}[each.state];
      const bytes = each.bytes > 0 ? `, ${each.bytes} bytes` : "";
      return `${data.rows[each.row].label}: ${each.text}${bytes}${each.source ? " at " + each.source : ""} (${when}${fate})`;
    }

    function select(each) {
      selected = each;
      info.textContent = each ? describe(each) : "";
      if (each) {
        reveal(each);
      }
      draw();
    }

    /** Moves the view so that it contains an action. */
    function reveal(each) {
      if (each.to < view.from || each.from > view.to) {
        const width = view.to - view.from;
        look({from: each.from - width / 3, to: each.from + width * 2 / 3});
      }
      const top = y(each.row) - LANE;
      if (top < frame.scrollTop || top + 2 * LANE > frame.scrollTop + frame.clientHeight) {
        frame.scrollTop = top - frame.clientHeight / 3;
      }
    }

    // ---- keys and pointers

    function onKey(event) {
      const keys = {
        "+": () => zoom(1 / 1.5), "=": () => zoom(1 / 1.5), "-": () => zoom(1.5), "0": () => look(full), Home: () => select(first()),
        ArrowLeft: () => event.shiftKey ? pan(-0.3) : step(-1), ArrowRight: () => event.shiftKey ? pan(0.3) : step(1),
        ArrowUp: () => other(-1), ArrowDown: () => other(1), Enter: follow, Escape: () => select(null),
      };
      if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        keys[event.key]();
      }
    }

    function first() {
      const marked = mark ? mark.items.map(each => items[each]).find(each => place.has(each.row)) : null;
      return marked || shown.map(row => byRow[row][0]).find(each => each) || null;
    }

    function step(by) {
      if (!selected || !place.has(selected.row)) {
        select(first());
        return;
      }
      const row = byRow[selected.row];
      select(row[Math.min(row.length - 1, Math.max(0, row.indexOf(selected) + by))]);
    }

    function other(by) {
      if (!selected || !place.has(selected.row)) {
        select(first());
        return;
      }
      for (let index = place.get(selected.row) + by; index >= 0 && index < shown.length; index += by) {
        const row = byRow[shown[index]];
        if (row.length > 0) {
          select(row.reduce((best, each) => Math.abs(each.from - selected.from) < Math.abs(best.from - selected.from) ? each : best));
          return;
        }
      }
    }

    /** Goes to the other end of an arrow. */
    function follow() {
      if (!selected) {
        select(first());
        return;
      }
      const marked = (mark ? mark.arrows : []).find(each => each.from === selected.index);
      const away = arrows.find(each => each.fromItem === selected.index && each.toItem >= 0);
      const back = arrows.find(each => each.toItem === selected.index && each.fromItem >= 0);
      const target = marked ? marked.to : away ? away.toItem : back ? back.fromItem : -1;
      if (target >= 0) {
        select(items[target]);
      }
    }

    const pointers = new Map();
    let moved = 0;

    function onDown(event) {
      pointers.set(event.pointerId, event.clientX);
      moved = 0;
    }

    function onMove(event) {
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        showTip(event);
        return;
      }
      const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      pointers.set(event.pointerId, event.clientX);
      moved += Math.abs(event.clientX - before);
      if (others.length === 1) {
        const [was, is] = [Math.abs(before - others[0]), Math.abs(event.clientX - others[0])];
        zoom(Math.max(10, was) / Math.max(10, is), at({clientX: (event.clientX + others[0]) / 2}));
      } else if (moved > 4) {
        const by = (before - event.clientX) / plotWidth() * (view.to - view.from);
        look({from: view.from + by, to: view.to + by});
      }
    }

    function onUp(event) {
      if (pointers.delete(event.pointerId) && moved <= 4 && event.type === "pointerup") {
        const index = event.target.getAttribute("data-item");
        select(index === null ? null : items[Number(index)]);
      }
    }

    function onWheel(event) {
      if (event.ctrlKey) {
        event.preventDefault();
        zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, at(event));
      }
    }

    function showTip(event) {
      const index = event.target.getAttribute("data-item");
      tip.hidden = index === null;
      if (index !== null) {
        tip.textContent = describe(items[Number(index)]);
        const box = host.getBoundingClientRect();
        tip.style.left = Math.max(0, Math.min(event.clientX - box.left + 12, box.width - tip.offsetWidth - 4)) + "px";
        tip.style.top = event.clientY - box.top + 16 + "px";
      }
    }

    function hideTip() {
      tip.hidden = true;
    }

    tutti.onWidth(frame, draw);
    draw();
    if (mark) {
      showMark(0);
    }
  }

  tutti.lanes = lanes;
  tutti.draw("lanes", lanes);
  for (const link of document.querySelectorAll("a[data-mark]")) {
    link.addEventListener("click", event => {
      event.preventDefault();
      const section = document.querySelector(link.getAttribute("href"));
      section.querySelector(".lanes").showMark(Number(link.dataset.mark));
      section.scrollIntoView();
      section.querySelector(".frame svg").focus({preventScroll: true});
    });
  }
})();
