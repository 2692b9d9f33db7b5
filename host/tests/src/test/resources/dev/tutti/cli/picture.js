// The drawing of the page as one SVG file, with the styles of the page that it needs and its own background.
(() => {
  const drawn = document.querySelector("svg[tabindex]");
  const {width, height} = drawn.getBoundingClientRect();
  const svg = drawn.cloneNode(true);
  ["tabindex", "role", "aria-roledescription"].forEach(each => svg.removeAttribute(each));
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", document.querySelector(".card h4").textContent.trim());
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const needed = rule => rule.media ? rule.media.mediaText.includes("color-scheme")
    : rule.selectorText === ":root" || (rule.selectorText.startsWith("svg ") && drawn.parentElement.querySelector(rule.selectorText) !== null);
  const rules = [...document.styleSheets].flatMap(each => [...each.cssRules]).filter(needed);
  svg.prepend(tutti.shape("style", {}, "\n" + rules.map(each => each.cssText).join("\n") + "\n.picture { fill: var(--back); }\n"),
    tutti.shape("rect", {class: "picture", width, height}));
  return new XMLSerializer().serializeToString(svg).replace(/<(g|rect|path|text|line|defs)\b/g, "\n<$1").replace(/(\.\d)\d+/g, "$1") + "\n";
})()
