/** Where the server is: the setting, the workspace, PATH, or what this extension installed. */

import * as nodePath from "node:path";

/** What is asked of the machine; tests answer it themselves. */
export interface Machine {
  platform: string;
  home: string;
  /** The value of PATH. */
  searched: string;
  isProgram(path: string): boolean;
}

export type Origin = "setting" | "workspace" | "PATH" | "installed";

export interface Found {
  program: string;
  origin: Origin;
}

export interface Places {
  /** The setting `mdbench.path`; empty to look for it. */
  stated: string;
  /** The folders of the workspace, the first one first. */
  folders: readonly string[];
  /** The environment that `installServer` makes. */
  own: string;
}

const ENVIRONMENTS = [".venv", "venv"];

export function findServer(places: Places, machine: Machine): Found | undefined {
  if (places.stated !== "") {
    // No other program is taken if the chosen one is missing.
    const program = expandPath(places.stated, places.folders[0], machine);
    return machine.isProgram(program) ? { program, origin: "setting" } : undefined;
  }
  const path = pathsOf(machine);
  for (const folder of places.folders) {
    for (const name of ENVIRONMENTS) {
      const program = programIn(path.join(folder, name), "mdbench", machine);
      if (machine.isProgram(program)) {
        return { program, origin: "workspace" };
      }
    }
  }
  const program = findInPath("mdbench", machine);
  if (program !== undefined) {
    return { program, origin: "PATH" };
  }
  const own = programIn(places.own, "mdbench", machine);
  return machine.isProgram(own) ? { program: own, origin: "installed" } : undefined;
}

/** A path with `~` and `${workspaceFolder}` replaced; relative ones start at the workspace. */
export function expandPath(stated: string, folder: string | undefined, machine: Machine): string {
  const path = pathsOf(machine);
  const home = stated.replace(/^~(?=$|[\\/])/, () => machine.home);
  const whole = home.replaceAll("${workspaceFolder}", () => folder ?? "");
  return path.isAbsolute(whole) || folder === undefined ? whole : path.join(folder, whole);
}

/** A program of a virtual environment. */
export function programIn(environment: string, name: string, machine: Machine): string {
  return machine.platform === "win32"
    ? nodePath.win32.join(environment, "Scripts", `${name}.exe`)
    : nodePath.posix.join(environment, "bin", name);
}

export function findInPath(name: string, machine: Machine): string | undefined {
  const path = pathsOf(machine);
  const file = machine.platform === "win32" ? `${name}.exe` : name;
  // An entry that is empty or relative means another program in each folder.
  const folders = machine.searched.split(path.delimiter).filter((one) => path.isAbsolute(one));
  return folders.map((one) => path.join(one, file)).find((one) => machine.isProgram(one));
}

function pathsOf(machine: Machine): nodePath.PlatformPath {
  return machine.platform === "win32" ? nodePath.win32 : nodePath.posix;
}
