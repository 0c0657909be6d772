/** What Visual Studio Code calls: commands, events, and the client of the language server. */

import * as vscode from "vscode";
import { LanguageClient, State, Trace } from "vscode-languageclient/node";
import { Server, type Connect } from "./server";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new Server(context.globalStorageUri.fsPath, connect);
  server = started;
  context.subscriptions.push(
    started,
    vscode.commands.registerCommand("mdbench.restart", () => started.restart()),
    vscode.commands.registerCommand("mdbench.install", () => started.install()),
    vscode.commands.registerCommand("mdbench.showLog", () => started.log.show()),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("mdbench") ? started.restart() : undefined,
    ),
    vscode.workspace.onDidChangeWorkspaceFolders(() => started.restart()),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

const connect: Connect = (found, settings, log, tell) => {
  const command = { command: found.program, args: ["lsp", ...settings.arguments] };
  const documentSelector = ["markdown", "mdx"].flatMap((language) =>
    ["file", "untitled"].map((scheme) => ({ language, scheme })),
  );
  const options = { documentSelector, outputChannel: log };
  const client = new LanguageClient("mdbench", "mdbench", command, options);
  client.onDidChangeState(({ newState }) => {
    if (newState !== State.Starting) {
      tell(newState === State.Running ? "running" : "stopped");
    }
  });
  return {
    async start() {
      await client.start();
      await client.setTrace(Trace.fromString(settings.trace));
    },
    stop: () => client.dispose(),
  };
};
