// Shows the findings of the hovered or focused cell next to it.
(() => {
  "use strict";
  const tip = document.getElementById("tip");
  const margin = 10;
  let where = null;
  let leaving = 0;

  const place = (box) => {
    tip.hidden = false;
    const own = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const left = Math.min(Math.max(margin, box.left), room - own.width - margin);
    const below = box.bottom + margin;
    const fits = below + own.height < innerHeight || box.top < own.height + 2 * margin;
    tip.style.left = `${Math.max(margin, left)}px`;
    tip.style.top = `${fits ? below : box.top - own.height - margin}px`;
  };

  // `box` returns the current position: the page may scroll under the tooltip.
  const show = (box, nodes) => {
    clearTimeout(leaving);
    if (!nodes.length) return;
    where = box;
    tip.replaceChildren(...nodes);
    place(box());
  };

  const hide = () => {
    clearTimeout(leaving);
    where = null;
    tip.hidden = true;
  };

  // Leave enough time to move the pointer onto the tooltip.
  const leave = () => {
    clearTimeout(leaving);
    leaving = setTimeout(hide, 150);
  };

  const explain = (element) => {
    const root = document.documentElement;
    const notes = element.dataset.findings
      .split(" ")
      .map((number) => document.getElementById(`why-${number}`))
      .filter((note) => note && !root.classList.contains(`hide-${note.dataset.severity}`));
    const copies = notes.map((note) => {
      const copy = note.cloneNode(true);
      copy.removeAttribute("id");
      return copy;
    });
    show(() => element.getBoundingClientRect(), copies);
  };

  const flagged = (event) =>
    event.target instanceof Element ? event.target.closest("[data-findings]") : null;

  document.addEventListener("mouseover", (event) => {
    const element = flagged(event);
    if (element) explain(element);
    else if (event.target instanceof Element && event.target.closest("#tip")) clearTimeout(leaving);
  });
  document.addEventListener("mouseout", (event) => {
    const element = flagged(event);
    const note = event.target instanceof Element && event.target.closest("#tip");
    if (element && !element.contains(event.relatedTarget)) leave();
    if (note && !note.contains(event.relatedTarget)) leave();
  });
  document.addEventListener("focusin", (event) => {
    const element = flagged(event);
    if (element) explain(element);
    else if (!event.target.closest("#tip, .chart")) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("scroll", () => where && place(where()), {
    capture: true,
    passive: true,
  });

  window.mdbench = { tip: { show, hide, leave } };
})();
