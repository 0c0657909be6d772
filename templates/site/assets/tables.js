// Show and hide findings and rows, and sort tables.
(() => {
  "use strict";
  const root = document.documentElement;
  const said = document.getElementById("said");

  const isPressed = (button) => button.getAttribute("aria-pressed") === "true";
  const press = (button, on) => button.setAttribute("aria-pressed", String(on));
  const isShown = (severity) => !root.classList.contains(`hide-${severity}`);

  // The Tab key skips cells whose findings are all hidden.
  const refresh = () => {
    for (const element of document.querySelectorAll("[data-findings]")) {
      const shown = ["error", "warning", "info"].some(
        (severity) => element.classList.contains(severity) && isShown(severity),
      );
      element.tabIndex = shown ? 0 : -1;
      element.classList.toggle("shown", shown);
    }
    const only = root.classList.contains("only-flagged");
    for (const row of document.querySelectorAll(".sheet tbody tr")) {
      row.hidden = only && !row.querySelector(".flag.shown");
    }
    for (const item of document.querySelectorAll(".finding")) {
      item.hidden = !isShown(item.dataset.severity);
    }
  };

  for (const button of document.querySelectorAll("[data-severity][aria-pressed]")) {
    button.addEventListener("click", () => {
      press(button, !isPressed(button));
      root.classList.toggle(`hide-${button.dataset.severity}`, !isPressed(button));
      refresh();
    });
  }
  for (const button of document.querySelectorAll("[data-toggle]")) {
    button.addEventListener("click", () => {
      press(button, !isPressed(button));
      root.classList.toggle(button.dataset.toggle, isPressed(button));
      refresh();
    });
  }
  refresh();

  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const next = { none: "ascending", ascending: "descending", descending: "none" };

  const read = (row, at) => {
    const cell = row.cells[at];
    if (!cell) return { text: "" };
    const text = cell.textContent.trim();
    return "value" in cell.dataset ? { number: Number(cell.dataset.value), text } : { text };
  };

  // Numbers first, then words, and empty cells last, in either direction.
  const rank = (value) => ("number" in value ? 0 : /[\p{L}\p{N}]/u.test(value.text) ? 1 : 2);

  const compare = (a, b, way) => {
    const apart = rank(a) - rank(b);
    if (apart || rank(a) === 2) return apart;
    const order = "number" in a ? a.number - b.number : collator.compare(a.text, b.text);
    return way === "descending" ? -order : order;
  };

  const sort = (table, header) => {
    const way = next[header.getAttribute("aria-sort")];
    for (const other of table.tHead.querySelectorAll("[aria-sort]")) {
      other.setAttribute("aria-sort", other === header ? way : "none");
    }
    const body = table.tBodies[0];
    const all = [...body.rows].map((row, at) => {
      row.dataset.at ??= String(at);
      return { row, at: Number(row.dataset.at), value: read(row, header.cellIndex) };
    });
    const data = all.filter(({ row }) => way === "none" || "row" in row.dataset);
    const others = all.filter(({ row }) => way !== "none" && !("row" in row.dataset));
    data.sort((a, b) => (way === "none" ? 0 : compare(a.value, b.value, way)) || a.at - b.at);
    body.append(...data.map(({ row }) => row), ...others.map(({ row }) => row));
    const name = header.querySelector(".sort").textContent.trim();
    said.textContent = way === "none" ? "Original order" : `Sorted by ${name}, ${way}`;
  };

  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => sort(button.closest("table"), button.closest("th")));
  }
})();
