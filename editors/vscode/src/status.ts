/** What the status bar says of the server. */

import type { Found } from "./finding";

export type ServerState =
  | { kind: "off" }
  | { kind: "missing"; stated: string }
  | { kind: "starting" | "running" | "stopped"; found: Found }
  | { kind: "failed"; message: string };

export interface Told {
  text: string;
  tooltip: string;
}

const ICONS = { starting: "sync~spin", running: "check", stopped: "circle-slash" };

export function describeState(state: ServerState): Told {
  switch (state.kind) {
    case "off":
      return { text: "$(circle-slash) mdbench", tooltip: "mdbench is turned off by mdbench.enable" };
    case "missing":
      return {
        text: "$(warning) mdbench",
        tooltip:
          state.stated === ""
            ? "mdbench was found neither in the workspace nor in PATH"
            : `mdbench.path is no program: ${state.stated}`,
      };
    case "failed":
      return { text: "$(error) mdbench", tooltip: state.message };
    default:
      return {
        text: `$(${ICONS[state.kind]}) mdbench`,
        tooltip: `mdbench ${state.kind}: ${state.found.program} (${state.found.origin})`,
      };
  }
}
