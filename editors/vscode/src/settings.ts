/** The settings of the extension, checked: a file of a workspace may hold anything. */

export type Trace = "off" | "messages" | "verbose";

export interface Settings {
  enable: boolean;
  path: string;
  arguments: string[];
  requirement: string;
  trace: Trace;
}

/** What `vscode.workspace.getConfiguration("mdbench")` gives. */
export interface Stated {
  get(name: string): unknown;
}

const TRACES: readonly unknown[] = ["off", "messages", "verbose"];

export function readSettings(stated: Stated): Settings {
  const text = (name: string): string => {
    const value = stated.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const listed = stated.get("arguments");
  const trace = stated.get("trace.server");
  return {
    enable: stated.get("enable") !== false,
    path: text("path"),
    arguments: Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [],
    requirement: text("requirement"),
    trace: TRACES.includes(trace) ? (trace as Trace) : "off",
  };
}
