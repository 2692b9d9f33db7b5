"use strict";
// The functions that the scripts of a page share. Texts enter the page as text nodes and attributes only, never as markup.
const tutti = {
  /** An HTML element with attributes and children; an attribute that is a function listens to the event of that name. */
  element(name, attributes, ...children) {
    return tutti.fill(document.createElement(name), attributes, children);
  },

  /** An SVG element. */
  shape(name, attributes, ...children) {
    return tutti.fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  },

  fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") {
        element.addEventListener(name, value);
      } else if (value !== null && value !== undefined) {
        element.setAttribute(name, value);
      }
    }
    element.append(...children);
    return element;
  },

  /** Calls a function with each drawing of a kind and its data. */
  draw(kind, start) {
    for (const host of document.querySelectorAll("." + kind)) {
      const data = JSON.parse(document.getElementById(host.dataset.json).textContent);
      host.textContent = "";
      host.classList.add("drawing");
      start(host, data);
    }
  },

  /** Calls a function when the width of an element changes. The caller has drawn for the present width, or is about to. */
  onWidth(element, redraw) {
    let known = element.clientWidth;
    new ResizeObserver(() => {
      if (element.clientWidth !== known) {
        known = element.clientWidth;
        redraw();
      }
    }).observe(element);
  },

  /** A number with three significant digits. */
  number(value) {
    if (value === 0) {
      return "0";
    }
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
    return digits > 6 ? value.toExponential(2) : String(Number(value.toFixed(Math.min(digits, 6))));
  },

  /** Microseconds with a unit. */
  time(micros) {
    const size = Math.abs(micros);
    return size >= 1e6 ? tutti.number(micros / 1e6) + " s"
      : size >= 1e3 ? tutti.number(micros / 1e3) + " ms"
      : size >= 1 || size === 0 ? tutti.number(micros) + " µs"
      : tutti.number(micros * 1e3) + " ns";
  },

  /** Bytes with a binary unit. */
  bytes(count) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (count >= 1024 && unit < units.length - 1) {
      count /= 1024;
      unit++;
    }
    return tutti.number(count) + " " + units[unit];
  },

  /** Round places for the marks of an axis. */
  ticks(from, to, most) {
    const raw = Math.max((to - from) / Math.max(1, most), 1e-12);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= raw * 0.999);
    const places = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      places.push(Math.abs(at) < step / 1e6 ? 0 : at);
    }
    return places;
  },

  /** A filter from a list of ranks such as "0,3-5": null for a malformed list; all ranks for an empty one. */
  ranks(text) {
    if (text.trim() === "") {
      return () => true;
    }
    const ranges = text.split(",").map(part => /^\s*(\d+)\s*(?:[-–]\s*(\d+)\s*)?$/.exec(part));
    if (ranges.some(range => range === null)) {
      return null;
    }
    const wanted = ranges.map(range => [Number(range[1]), Number(range[2] === undefined ? range[1] : range[2])]);
    return ([first, last]) => wanted.some(([from, to]) => first <= to && from <= last);
  },
};
