// The frame of every page: light or dark, and shapes on pegs, as the reader chose on this machine;
// the other language of this very page; printing. It runs before the page is drawn, so it is no module.
(() => {
  const root = document.documentElement;
  const show = (name, value) => (value ? (root.dataset[name] = value) : delete root.dataset[name]);
  const storage = (act, ...values) => {
    try {
      return localStorage[act](...values);
    } catch {
      return ""; // a browser that keeps nothing still shows a choice on this page
    }
  };
  const keep = (name, value) => {
    show(name, value);
    storage("setItem", `pegwise-${name}`, value);
  };
  for (const name of ["theme", "shapes"]) show(name, storage("getItem", `pegwise-${name}`));
  if (window !== top) {
    // in a page of another site: what may not stand there opens in a tab of its own
    root.dataset.framed = "on";
    addEventListener("click", ({ target }) => {
      const link = target.closest("a[href]");
      if (link && !/^\/(play|puzzle|room\/[^/]+)$/.test(link.pathname)) link.target = "_blank";
    }, true);
  }
  const [version] = document.currentScript.src.match(/v[0-9a-f]{8}/);
  // only at safe addresses
  addEventListener("load", () => navigator.serviceWorker?.register(`/sw.js?${version}`).catch(() => {}));
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".theme");
    const name = () => {
      const label = button.dataset[root.dataset.theme ?? "auto"];
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    const next = { undefined: "light", light: "dark", dark: "" };
    button.addEventListener("click", () => {
      keep("theme", next[root.dataset.theme]);
      name();
      document.querySelector("#status").textContent = button.title;
    });
    name();
    for (const link of document.querySelectorAll(".lang a")) {
      link.addEventListener("click", () => {
        const address = new URL(location.href); // with what the page has added to it since
        address.searchParams.set("lang", link.lang);
        link.href = address.href;
      });
    }
    document.querySelector("#more")?.addEventListener("click", ({ currentTarget: more }) => more.setAttribute("aria-expanded", String(more.ariaExpanded !== "true")));
    document.querySelector("#print")?.addEventListener("click", () => print());
    for (const box of document.querySelectorAll("[data-toggles=shapes]")) {
      box.checked = root.dataset.shapes === "on";
      box.addEventListener("change", () => keep("shapes", box.checked ? "on" : ""));
    }
  });
})();
