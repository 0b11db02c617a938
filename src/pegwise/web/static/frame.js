// The frame of every page: light or dark, and shapes on pegs, as the reader chose on this machine;
// the other language of this very page; printing. It runs before the page is drawn, so it is no module.
(() => {
  const root = document.documentElement;
  const keep = (name, value) => {
    try {
      if (value) localStorage.setItem(`pegwise-${name}`, value);
      else localStorage.removeItem(`pegwise-${name}`);
    } catch {
      // a browser that keeps nothing still shows the choice on this page
    }
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
  };
  for (const name of ["theme", "shapes"]) {
    try {
      const value = localStorage.getItem(`pegwise-${name}`);
      if (value) root.dataset[name] = value;
    } catch {
      break;
    }
  }
  navigator.serviceWorker?.register("/sw.js").catch(() => {}); // only at safe addresses
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
    document.querySelector("#print")?.addEventListener("click", () => print());
    for (const box of document.querySelectorAll("[data-toggles=shapes]")) {
      box.checked = root.dataset.shapes === "on";
      box.addEventListener("change", () => keep("shapes", box.checked ? "on" : ""));
    }
  });
})();
