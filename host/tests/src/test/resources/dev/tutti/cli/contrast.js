// Every visible text whose colour is too near to that behind it, by the contrast ratios of WCAG 2 (AA).
(() => {
  const parse = text => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1};
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(each => each / 255).map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour.alpha === 1) {
        return colour.rgb;
      }
    }
    return [255, 255, 255];
  };
  const boxes = new Map();
  // The action on which a text is drawn: its rectangle comes before the arrows, and the text after them.
  const action = text => {
    const svg = text.closest("svg");
    const number = (element, name) => Number(element.getAttribute(name));
    if (!boxes.has(svg)) {
      boxes.set(svg, [...svg.querySelectorAll("rect.item")].map(element => ({element, x: number(element, "x"), y: number(element, "y"),
        right: number(element, "x") + number(element, "width"), bottom: number(element, "y") + number(element, "height")})));
    }
    const [x, y] = [number(text, "x"), number(text, "y")];
    return boxes.get(svg).findLast(each => each.x <= x && x <= each.right && each.y <= y && y <= each.bottom).element;
  };
  const poor = [];
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.getClientRects().length || element.closest("script, title, option")) {
      continue;
    }
    const style = getComputedStyle(element);
    const isDrawn = element.namespaceURI.endsWith("svg");
    const on = isDrawn && element.classList.contains("on") ? action(element) : null;
    const front = parse(isDrawn ? style.fill : style.color).rgb;
    const back = on ? parse(getComputedStyle(on).fill).rgb : behind(isDrawn ? element.closest("svg").parentElement : element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    seen++;
    if (ratio(front, back) < (isLarge ? 3 : 4.5)) {
      poor.push(`${element.tagName} "${walker.currentNode.data.trim().slice(0, 40)}" ${style.color} ${style.fill}: ${ratio(front, back).toFixed(2)}`);
    }
  }
  return {seen, poor};
})()
