// Loaded before the first paint, so that a page never flashes in the wrong colors.
(() => {
  "use strict";
  const root = document.documentElement;
  const key = "mdbench-theme";
  const remembered = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // A browser may have no storage for local pages.
    }
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : system.matches;

  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  const press = () =>
    document.getElementById("theme").setAttribute("aria-pressed", String(isDark()));
  const announce = () => {
    press();
    document.dispatchEvent(new Event("mdbench:theme"));
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem(key, root.dataset.theme);
      } catch {
        // The choice then applies to this page only.
      }
      announce();
    });
    press();
  });
  system.addEventListener("change", announce);
})();
