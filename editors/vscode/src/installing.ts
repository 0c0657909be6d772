/** Install mdbench with pip into an environment of the extension, if a user asks for it. */

import { execFile } from "node:child_process";
import { findInPath, programIn, type Machine } from "./finding";

export interface Step {
  program: string;
  arguments: string[];
}

/** The programs to run one after the other; undefined if there is no Python. */
export function planInstallation(
  requirement: string,
  environment: string,
  machine: Machine,
): Step[] | undefined {
  const names = machine.platform === "win32" ? ["py", "python"] : ["python3", "python"];
  const python = names.map((one) => findInPath(one, machine)).find((one) => one !== undefined);
  if (python === undefined) {
    return undefined;
  }
  const inside = programIn(environment, "python", machine);
  const pip = ["-m", "pip", "install", "--upgrade", "--disable-pip-version-check"];
  return [
    { program: python, arguments: ["-m", "venv", "--clear", environment] },
    // After the dashes, a requirement is never taken for an option.
    { program: inside, arguments: [...pip, "--", withServer(requirement)] },
  ];
}

/** The requirement with the extra that the server needs, if it names none. */
export function withServer(requirement: string): string {
  if (requirement.includes("[")) {
    return requirement;
  }
  return requirement.includes("://") ? `mdbench[lsp] @ ${requirement}` : `${requirement}[lsp]`;
}

/** Run a program without a shell; its output goes to the log. */
export function runStep(step: Step, log: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    log(`${step.program} ${step.arguments.join(" ")}\n`);
    const child = execFile(step.program, step.arguments, { maxBuffer: 2 ** 26 }, (error) => {
      if (error === null) {
        resolve();
      } else {
        reject(error);
      }
    });
    child.stdout?.on("data", (text) => log(String(text)));
    child.stderr?.on("data", (text) => log(String(text)));
  });
}
