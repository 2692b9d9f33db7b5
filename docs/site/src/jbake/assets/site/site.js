"use strict";
// The menu of pages, and the search. It works without a server: the texts are a script, which is loaded when somebody searches.
(() => {
  const MOST = 20;
  const EXCERPT = 160;
  const root = document.currentScript.dataset.root;
  const input = document.querySelector(".search input");
  const list = document.querySelector(".search ol");
  const found = document.querySelector(".search .found");
  let index = null;

  if (!window.matchMedia("(min-width: 60rem)").matches) {
    document.querySelector("nav details").open = false;
  }

  function load(name) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = root + "site/" + name;
      script.onload = done;
      script.onerror = () => failed(new Error("cannot load " + script.src));
      document.head.append(script);
    });
  }

  function build() {
    index ??= Promise.all([load("lunr/lunr.min.js"), load("sections.js")]).then(() => {
      lunr.tokenizer.separator = /[\s\-/.,:;=()[\]<>"'`]+/;
      return lunr(function () {
        this.ref("at");
        this.field("title", {boost: 5});
        this.field("heading", {boost: 10});
        this.field("text");
        sections.forEach(([, , title, heading, text], at) => this.add({at, title, heading, text}));
      });
    });
    return index;
  }

  /** Sections that have all words, or words that begin like them. */
  function matches(built, words) {
    return built.query(query => {
      for (const token of lunr.tokenizer(words)) {
        for (const term of built.pipeline.run([token])) {
          query.term(term.toString(), {wildcard: lunr.Query.wildcard.TRAILING, presence: lunr.Query.presence.REQUIRED});
        }
      }
    });
  }

  function result([uri, anchor, title, heading, text], words) {
    const link = document.createElement("a");
    link.href = root + uri + "#" + anchor;
    const name = document.createElement("strong");
    name.textContent = heading;
    const place = document.createElement("span");
    place.className = "muted";
    const at = Math.max(0, text.toLowerCase().indexOf(words.toLowerCase().split(/\s+/)[0]) - EXCERPT / 4);
    place.textContent = (heading === title ? "" : title + ": ") + (at > 0 ? "… " : "") + text.substring(at, at + EXCERPT) + (at + EXCERPT < text.length ? " …" : "");
    link.append(name, place);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  async function search() {
    const words = input.value.trim();
    const built = words ? await build() : null;
    if (words !== input.value.trim()) {
      return;
    }
    const all = built ? matches(built, words) : [];
    list.replaceChildren(...all.slice(0, MOST).map(each => result(sections[each.ref], words)));
    found.textContent = !words ? "" : all.length === 0 ? "Nothing found" : all.length > MOST ? `${MOST} of ${all.length} sections` : all.length === 1 ? "1 section" : `${all.length} sections`;
  }

  function close() {
    input.value = "";
    search();
    input.focus();
  }

  input.addEventListener("focus", build, {once: true});
  input.addEventListener("input", search);
  document.querySelector(".search").addEventListener("submit", event => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  list.addEventListener("click", event => {
    if (event.target.closest("a")) {
      input.value = "";
      search();
    }
  });
  document.addEventListener("keydown", event => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const isSearching = document.activeElement === input || at >= 0;
    if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.altKey && !event.metaKey) {
      input.focus();
    } else if (event.key === "Escape" && isSearching) {
      close();
    } else if (event.key === "ArrowDown" && isSearching && at + 1 < links.length) {
      links[at + 1].focus();
    } else if (event.key === "ArrowUp" && at >= 0) {
      (at === 0 ? input : links[at - 1]).focus();
    } else {
      return;
    }
    event.preventDefault();
  });
})();
