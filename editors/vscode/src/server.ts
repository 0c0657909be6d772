/** The language server: started, stopped, shown in the status bar, installed on request. */

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { findServer, type Found, type Machine, type Places } from "./finding";
import { planInstallation, runStep, type Step } from "./installing";
import { readSettings, type Settings } from "./settings";
import { describeState, type ServerState } from "./status";

/** A connection to a server that runs. */
export interface Client {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects to a server; `tell` is called when it starts to run and when it stops. */
export type Connect = (
  found: Found,
  settings: Settings,
  log: vscode.OutputChannel,
  tell: (kind: "running" | "stopped") => void,
) => Client;

export type Run = (step: Step, log: (text: string) => void) => Promise<void>;

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    home: homedir(),
    searched: process.env["PATH"] ?? "",
    isProgram(file) {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    },
  };
}

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("mdbench");
  private readonly bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  private client: Client | undefined;
  /** One start or stop after the other, however fast the settings change. */
  private work: Promise<void> = Promise.resolve();
  private hasOffered = false;

  constructor(
    /** Where the extension may write. */
    private readonly storage: string,
    private readonly connect: Connect,
    private readonly machine: Machine = thisMachine(),
    private readonly run: Run = runStep,
  ) {
    this.bar.command = "mdbench.showLog";
  }

  restart(): Promise<void> {
    this.work = this.work.then(() => this.startAgain()).catch((error) => this.fail(String(error)));
    return this.work;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.stop();
  }

  dispose(): void {
    void this.work.then(() => this.stop());
    this.bar.dispose();
    this.log.dispose();
  }

  /** Install mdbench: what, the user says. */
  async install(): Promise<void> {
    const requirement = this.settings().requirement || (await askRequirement());
    if (!requirement) {
      return;
    }
    const steps = planInstallation(requirement, this.places().own, this.machine);
    if (steps === undefined) {
      this.fail("there is no Python in PATH; install Python 3.11 or later");
      return;
    }
    const location = vscode.ProgressLocation.Notification;
    try {
      await vscode.window.withProgress({ location, title: "Installing mdbench" }, async () => {
        for (const step of steps) {
          await this.run(step, (text) => this.log.append(text));
        }
      });
    } catch (error) {
      this.fail(`mdbench was not installed: ${String(error)}`);
      return;
    }
    await this.restart();
  }

  private async startAgain(): Promise<void> {
    await this.stop();
    const settings = this.settings();
    if (!settings.enable) {
      this.show({ kind: "off" });
      return;
    }
    const found = findServer(this.places(), this.machine);
    if (found === undefined) {
      this.show({ kind: "missing", stated: settings.path });
      void this.offerInstallation(settings);
      return;
    }
    this.show({ kind: "starting", found });
    const client = this.connect(found, settings, this.log, (kind) => {
      // A server that was stopped to start another one is of no interest.
      if (client === this.client) {
        this.show({ kind, found });
      }
    });
    this.client = client;
    await client.start();
  }

  private async offerInstallation(settings: Settings): Promise<void> {
    if (this.hasOffered) {
      return;
    }
    this.hasOffered = true;
    const told = describeState({ kind: "missing", stated: settings.path });
    const actions = settings.path === "" ? ["Install", "Open Settings"] : ["Open Settings"];
    const answer = await vscode.window.showWarningMessage(told.tooltip, ...actions);
    if (answer === "Install") {
      await this.install();
    } else if (answer === "Open Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "mdbench.path");
    }
  }

  private settings(): Settings {
    return readSettings(vscode.workspace.getConfiguration("mdbench"));
  }

  private places(): Places {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    return { stated: this.settings().path, folders, own: path.join(this.storage, "server") };
  }

  private fail(message: string): void {
    this.show({ kind: "failed", message });
    void vscode.window.showErrorMessage(`mdbench: ${message}`);
  }

  private show(state: ServerState): void {
    const told = describeState(state);
    this.bar.text = told.text;
    this.bar.tooltip = told.tooltip;
    this.bar.show();
    this.log.appendLine(told.tooltip);
  }
}

async function askRequirement(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: "Install mdbench with pip",
    prompt: "A folder with a checkout of mdbench, a wheel, or git+https://…",
    ignoreFocusOut: true,
  });
}
