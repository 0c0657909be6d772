// Choose the columns of a table, keep its first one in place, and show where there is more.
(() => {
  "use strict";
  const key = "mdbench-columns";
  const leading = 2;
  const most = 16; // Columns that fewer runs fill are shown only if they are chosen.

  // What the reader chose, by the name of a column. A browser may forbid to remember it: then the
  // choice holds for this page only.
  let choices = {};
  try {
    choices = JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    choices = {};
  }
  const remember = () => {
    try {
      localStorage.setItem(key, JSON.stringify(choices));
    } catch {
      // Nothing to do: `choices` has it.
    }
  };

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  const edges = (frame) => {
    const box = frame.querySelector(".scroll");
    const right = box.scrollWidth - box.clientWidth - box.scrollLeft;
    const below = box.scrollHeight - box.clientHeight - box.scrollTop;
    frame.classList.toggle("more-left", box.scrollLeft > 1);
    frame.classList.toggle("more-right", right > 1);
    frame.classList.toggle("more-above", box.scrollTop > 1);
    frame.classList.toggle("more-below", below > 1);
  };

  // The first column stays in place unless it would take half of the room.
  const pin = (frame, table) => {
    const box = frame.querySelector(".scroll");
    const first = table.tHead.querySelector("[data-first]");
    if (!first) return;
    table.classList.toggle("pinned", first.offsetWidth < box.clientWidth / 2);
  };

  // A finding far to the right would not be seen: the table opens where its first one is.
  const reach = (frame, table) => {
    const box = frame.querySelector(".scroll");
    const cell = table.querySelector("td.flag.shown");
    if (!cell || box.scrollLeft) return;
    const [room, own] = [box, cell].map((one) => one.getBoundingClientRect());
    const kept = table.querySelector("[data-first]");
    const start = table.classList.contains("pinned") ? kept.getBoundingClientRect().right : room.left;
    const over = Math.min(own.right - room.right, own.left - start);
    if (over > 0) box.scrollLeft = over + 24;
  };

  class Columns {
    constructor(frame) {
      this.frame = frame;
      this.table = frame.querySelector("table");
      this.box = frame.querySelector(".scroll");
      this.scope = this.table.dataset.columns;
      this.heads = [...this.table.tHead.rows[0].cells].filter((head) => "name" in head.dataset);
      this.picker = document.getElementById(this.table.dataset.picker);
      this.note = document.getElementById(this.table.dataset.note);
      this.shown = new Map(this.heads.map((head) => [head, !head.hidden]));
      this.room = 0;
      this.fit();
      this.build();
      this.say();
    }

    chosen(head) {
      return choices[`${this.scope}:${head.dataset.name}`];
    }

    // The widths of all columns are measured once, with all of them in place.
    measure() {
      if (this.widths) return;
      this.apply(new Map(this.heads.map((head) => [head, true])));
      const own = this.heads.reduce((sum, head) => sum + head.offsetWidth, 0);
      this.fixed = this.table.offsetWidth - own;
      this.over = this.table.offsetWidth > this.box.clientWidth;
      this.widths = new Map(this.heads.map((head) => [head, head.offsetWidth]));
    }

    fit() {
      this.measure();
      this.room = this.box.clientWidth;
      const wanted = new Map();
      let used = this.fixed;
      for (const head of this.heads) {
        const chosen = this.chosen(head);
        if (chosen !== undefined) wanted.set(head, chosen);
        if (chosen) used += this.widths.get(head);
      }
      const ranked = this.heads.every((head) => "rank" in head.dataset);
      const open = this.heads.filter((head) => !wanted.has(head));
      if (ranked) open.sort((a, b) => a.dataset.rank - b.dataset.rank);
      const total = open.reduce((sum, head) => sum + this.widths.get(head), used);
      const short = total > this.room;
      // Where there is little room, it is for results.
      if (ranked && short) {
        const measured = open.filter((head) => "result" in head.dataset);
        const first = [];
        let room = this.room - used;
        for (const head of measured) {
          if (first.length === leading || head.dataset.rank > most || this.widths.get(head) > room) continue;
          first.push(head);
          room -= this.widths.get(head);
        }
        open.sort((a, b) => first.includes(b) - first.includes(a) || a.dataset.rank - b.dataset.rank);
      }
      for (const head of open) {
        const dull = "same" in head.dataset;
        const late = head.dataset.rank > most;
        const fits = ranked ? !late && used + this.widths.get(head) <= this.room : !short;
        wanted.set(head, ranked ? fits && !dull : fits || !dull);
        if (wanted.get(head)) used += this.widths.get(head);
      }
      // On the smallest screen, too, there is a result.
      if (ranked && ![...wanted.values()].some(Boolean) && open.length) wanted.set(open[0], true);
      this.apply(wanted);
    }

    apply(wanted) {
      const changed = this.heads.filter((head) => wanted.get(head) !== this.shown.get(head));
      for (const head of changed) {
        const at = head.cellIndex;
        for (const row of this.table.rows) if (row.cells[at]) row.cells[at].hidden = !wanted.get(head);
      }
      this.shown = wanted;
      this.fill();
    }

    // A run whose results are all in columns that are not shown has one of them below its name.
    fill() {
      const shown = this.heads.filter((head) => "result" in head.dataset && this.shown.get(head));
      for (const row of this.table.tBodies[0].rows) {
        const result = row.querySelector(".result");
        if (result) result.hidden = shown.some((head) => row.cells[head.cellIndex].textContent.trim());
      }
    }

    refresh() {
      this.fit();
      for (const [head, box] of this.boxes ?? []) box.checked = this.shown.get(head);
      this.say();
      pin(this.frame, this.table);
      edges(this.frame);
    }

    say() {
      const count = this.heads.filter((head) => this.shown.get(head)).length;
      if (this.counter) this.counter.textContent = `${count} of ${this.heads.length}`;
      if (!this.note) return;
      const dull = this.heads.filter((head) => "same" in head.dataset && !this.shown.get(head));
      const same = dull.filter((head) => head.dataset.same);
      const empty = dull.filter((head) => !head.dataset.same);
      const said = [];
      const list = (heads, say) => heads.map(say).join(" · ");
      if (same.length) {
        said.push(`The same in all ${this.table.dataset.things}: ${list(same, (head) => `${head.dataset.title}\u00a0${head.dataset.same}`)}`);
      }
      if (empty.length) said.push(`Empty: ${list(empty, (head) => head.dataset.title)}`);
      this.note.textContent = said.join(". ");
      this.note.hidden = !said.length;
    }

    build() {
      if (!this.picker) return;
      const summary = make("summary", "Columns ", "chip");
      this.counter = make("span", "", "count");
      summary.append(this.counter);
      const list = make("div", "", "choices");
      this.boxes = new Map();
      let group = "";
      for (const head of this.heads) {
        if (head.dataset.group && head.dataset.group !== group) {
          group = head.dataset.group;
          list.append(make("p", group, "group"));
        }
        const label = make("label");
        const box = make("input");
        box.type = "checkbox";
        box.checked = this.shown.get(head);
        box.addEventListener("change", () => {
          choices[`${this.scope}:${head.dataset.name}`] = box.checked;
          remember();
          this.refresh();
        });
        this.boxes.set(head, box);
        label.append(box, make("span", head.dataset.title || "no header"));
        list.append(label);
      }
      const reset = make("button", "Choose for me", "chip");
      reset.type = "button";
      reset.addEventListener("click", () => {
        for (const head of this.heads) delete choices[`${this.scope}:${head.dataset.name}`];
        remember();
        this.refresh();
      });
      list.append(reset);
      this.picker.replaceChildren(summary, list);
      this.picker.hidden = false;
    }
  }

  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const frame = target.closest(".frame");
      const { columns } = frame;
      if (columns && columns.room !== target.clientWidth) columns.refresh();
      else edges(frame);
    }
  });

  for (const frame of document.querySelectorAll(".frame")) {
    const box = frame.querySelector(".scroll");
    const table = box.querySelector("table");
    if (table && "columns" in table.dataset) {
      frame.columns = new Columns(frame);
      pin(frame, table);
      reach(frame, table);
    }
    box.addEventListener("scroll", () => edges(frame), { passive: true });
    watch.observe(box);
    edges(frame);
  }

  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.picker[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("details.picker[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
