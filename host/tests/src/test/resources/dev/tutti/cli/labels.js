// Every label of a drawing that is not whole inside it, or that meets another one. Texts on actions and on arrows may meet.
(() => {
  const bad = [];
  let seen = 0;
  for (const svg of document.querySelectorAll("svg[tabindex]")) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter(each => !each.matches(".on"))
      .map(each => ({text: each.firstChild.data, mayMeet: each.matches(".missing"), box: each.getBoundingClientRect()}));
    seen += labels.length;
    labels.forEach(({text, mayMeet, box}, index) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        bad.push(`"${text}" is cut`);
      }
      for (const other of labels.slice(index + 1)) {
        const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (width > 1 && height > 4 && !mayMeet && !other.mayMeet) {
          bad.push(`"${text}" meets "${other.text}"`);
        }
      }
    });
  }
  return {seen, bad};
})()
