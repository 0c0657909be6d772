// Draws the charts in the colors of the page. A point links to its row, by pointer or keyboard.
(() => {
  "use strict";
  const { tip } = window.mdbench;
  const narrow = () => document.documentElement.clientWidth < 640;

  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const colour = (name) => {
    probe.className = `probe-${name}`;
    return getComputedStyle(probe).color;
  };

  const legendOf = (spec, room) => {
    const labels = spec.layer.flatMap((one) =>
      ["color", "shape"].flatMap((channel) => one.encoding?.[channel]?.scale?.domain ?? []),
    );
    const widest = Math.max(0, ...labels.map((label) => label.length)) * 7 + 40;
    // The legend begins where the plot does, beside the labels of the axis.
    const left = room - (narrow() ? 75 : 95);
    return { columns: Math.max(1, Math.min(6, Math.floor(left / widest))), labelLimit: left - 30 };
  };

  const look = (spec, room) => {
    const [ink, muted, line] = ["ink", "muted", "line"].map(colour);
    const font = getComputedStyle(document.body).fontFamily;
    const axis = {
      labelColor: muted, titleColor: muted, labelFont: font, titleFont: font, labelFontSize: 12,
      titleFontSize: 12, titleFontWeight: 500, titlePadding: 10, domainColor: line,
      gridColor: line, gridOpacity: 0.7, tickColor: line, labelPadding: 6,
    };
    const flag = (name) => ({
      color: colour(name), fill: "transparent", size: 330, strokeWidth: 2, opacity: 1,
      cursor: "pointer",
    });
    return {
      background: "transparent", font, mark: { color: muted }, text: { color: ink }, view: { stroke: null }, axis,
      axisX: { ...axis, labelFontSize: narrow() ? 11 : 12 },
      axisY: { ...axis, labelFontSize: narrow() ? 11 : 12, labelLimit: narrow() ? 165 : 400, domain: false, ticks: false },
      legend: {
        orient: "bottom", direction: "horizontal", labelColor: ink, labelFont: font,
        labelFontSize: 12, symbolSize: 90, symbolStrokeWidth: 0, offset: 14, columnPadding: 24,
        ...legendOf(spec, room),
      },
      range: { category: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => colour(`series-${at}`)) },
      style: {
        ideal: { strokeDash: [6, 4], strokeWidth: 2.2, opacity: 1, color: muted },
        "ideal-name": { align: "right", baseline: "bottom", dx: -8, dy: -4, color: ink, fill: ink, fontSize: 12, font },
        trend: { strokeWidth: 2.2, strokeJoin: "round" },
        member: { size: 64, opacity: 1, cursor: "pointer" },
        bounded: { size: 60, fill: colour("card"), strokeWidth: 1.8, opacity: 1, cursor: "pointer" },
        arrow: { size: 300, color: ink, filled: true, opacity: 1, cursor: "pointer" },
        alone: {
          size: 52, color: muted, fill: colour("card"), strokeWidth: 1.6, opacity: 1,
          cursor: "pointer",
        },
        run: { color: colour("bar"), cornerRadiusEnd: 3, cursor: "pointer" },
        "bounded-run": {
          color: colour("bar"), fill: colour("bar"), fillOpacity: 0.35, stroke: colour("bar"), strokeWidth: 1.5,
          strokeDash: [4, 3], cornerRadiusEnd: 3, cursor: "pointer",
        },
        limit: { color: ink, thickness: 2.5, size: 17, opacity: 1, cursor: "pointer" },
        over: {
          color: colour("error"), filled: true, size: 110, angle: 45, opacity: 1, cursor: "pointer",
        },
        "flag-error": flag("error"),
        "flag-warning": { ...flag("warning"), size: 300 },
      },
    };
  };

  const tell = (box, datum) => {
    const lines = datum.label.split("\n").map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    });
    tip.show(box, lines);
  };

  const go = (datum) => {
    if (!datum || !datum.anchor) return;
    tip.hide();
    if (!datum.anchor.includes("#")) {
      location.hash = datum.anchor;
      const row = document.getElementById(datum.anchor);
      if (row) {
        row.tabIndex = -1;
        row.focus({ preventScroll: true });
      }
      return;
    }
    location.href = datum.anchor;
  };

  const pointsOf = (holder) =>
    [...holder.querySelectorAll("[aria-roledescription]")].filter(
      (one) => one.__data__ && one.__data__.datum && one.__data__.datum.anchor,
    );

  const walk = (holder) => {
    let at = -1;
    holder.addEventListener("keydown", (event) => {
      const points = pointsOf(holder);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step && points.length) {
        event.preventDefault();
        at = (at + step + points.length) % points.length;
        for (const one of points) one.classList.remove("here");
        points[at].classList.add("here");
        const here = points[at];
        tell(() => here.getBoundingClientRect(), here.__data__.datum);
        document.getElementById("said").textContent = points[at].__data__.datum.label;
      } else if (event.key === "Enter" && points[at]) {
        event.preventDefault();
        go(points[at].__data__.datum);
      }
    });
    holder.addEventListener("blur", () => {
      at = -1;
      for (const one of pointsOf(holder)) one.classList.remove("here");
      tip.hide();
    });
  };

  const draw = async (figure) => {
    const holder = figure.querySelector(".chart");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    figure.view?.finalize();
    const { view } = await window.vegaEmbed(holder, spec, {
      mode: "vega-lite", renderer: "svg", actions: false, defaultStyle: false, ast: true,
      config: look(spec, holder.clientWidth),
      tooltip: (_handler, event, item, value) => {
        if (!event || !value || !item.datum.label) {
          tip.leave();
          return;
        }
        const { clientX: left, clientY: y } = event;
        tell(() => ({ left, top: y - 6, bottom: y + 6 }), item.datum);
      },
    });
    figure.view = view;
    view.addEventListener("click", (_event, item) => go(item && item.datum));
    figure.classList.add("drawn");
  };

  const figures = [...document.querySelectorAll(".figure")];
  const drawAll = () => figures.forEach((figure) => draw(figure));
  figures.forEach((figure) => walk(figure.querySelector(".chart")));
  drawAll();
  document.addEventListener("mdbench:theme", drawAll);
  let wasNarrow = narrow();
  addEventListener("resize", () => {
    if (narrow() === wasNarrow) return;
    wasNarrow = narrow();
    drawAll();
  });
})();
