// Filter the table of all runs, and compare selected runs side by side.
(() => {
  "use strict";
  const table = document.getElementById("runs");
  const form = document.getElementById("filters");
  if (!table || !form) return;
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const worse = { error: ["error"], warning: ["error", "warning"], none: [""] };
  const count = (number) => `${number} run${number === 1 ? "" : "s"}`;
  const textOf = (row, at) => row.cells[at].textContent.trim();

  const conditions = () => {
    const found = [];
    const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) {
      found.push((row) => words.every((word) => row.textContent.toLowerCase().includes(word)));
    }
    if (form.report.value) {
      found.push((row) => row.querySelector("a").getAttribute("href").startsWith(`${form.report.value}#`));
    }
    if (form.severity.value) {
      found.push((row) => worse[form.severity.value].includes(row.dataset.severity === "info" ? "" : row.dataset.severity));
    }
    for (const select of form.querySelectorAll("[data-column]")) {
      if (!select.value) continue;
      const at = headers.findIndex((header) => header.dataset.name === select.dataset.column);
      found.push((row) => textOf(row, at) === select.value);
    }
    return found;
  };

  const filter = () => {
    const wanted = conditions();
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = !wanted.every((meets) => meets(row));
      shown += row.hidden ? 0 : 1;
    }
    const all = body.rows.length;
    document.getElementById("shown").textContent =
      shown === all ? count(all) : `${shown} of ${count(all)}`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  const button = document.getElementById("compare");
  const panel = document.getElementById("comparison");
  const frame = document.getElementById("compared");
  const picked = () => [...body.querySelectorAll(".pick:checked")].map((box) => box.closest("tr"));

  body.addEventListener("change", () => {
    const chosen = picked().length;
    button.disabled = chosen < 2;
    button.textContent = chosen < 2 ? "Compare selected" : `Compare ${chosen} runs`;
    if (!frame.hidden) build();
  });
  button.addEventListener("click", () => {
    build();
    panel.focus();
  });

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // The other runs are compared with the first one.
  const ratio = (cell, first) => {
    const [value, base] = [cell, first].map((one) => Number(one.dataset.value ?? NaN));
    return cell !== first && base > 0 && value > 0 ? ` ×${(value / base).toPrecision(3)}` : "";
  };

  const build = () => {
    const rows = picked();
    frame.hidden = rows.length < 2;
    if (frame.hidden) return;
    const result = make("table");
    const top = result.createTHead().insertRow();
    top.append(make("th", "", "txt"));
    for (const row of rows) {
      const head = make("th", "", "num");
      head.append(row.cells[0].querySelector("a").cloneNode(true), make("small", row.cells[0].querySelector("div > small:last-child").textContent));
      top.append(head);
    }
    const lines = result.createTBody();
    headers.slice(1).forEach((header, offset) => {
      const cells = rows.map((row) => row.cells[offset + 1]);
      const texts = cells.map((cell) => cell.textContent.trim());
      if (!texts.some(Boolean)) return;
      const line = lines.insertRow();
      line.className = new Set(texts).size > 1 ? "differs" : "same";
      const unit = header.querySelector("small")?.textContent;
      line.append(make("th", unit ? `${header.dataset.title}, ${unit}` : header.dataset.title, "txt"));
      cells.forEach((cell, at) => {
        const slot = make("td", texts[at] || "–", "num");
        if ("measured" in header.dataset) slot.append(make("small", ratio(cell, cells[0])));
        line.append(slot);
      });
    });
    panel.replaceChildren(result);
  };
})();
