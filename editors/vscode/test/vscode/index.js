// As much of the API as `src/server.ts` uses. `stub` holds what a test sets and what was shown.
"use strict";

const stub = { settings: {}, folders: [], answer: undefined, input: undefined };
stub.reset = () => {
  Object.assign(stub, { settings: {}, folders: [], answer: undefined, input: undefined });
  Object.assign(stub, { bar: {}, log: "", warnings: [], errors: [], commands: [] });
};
stub.reset();

module.exports = {
  stub,
  StatusBarAlignment: { Left: 1, Right: 2 },
  ProgressLocation: { Notification: 15 },
  commands: { executeCommand: async (...words) => void stub.commands.push(words) },
  window: {
    createOutputChannel: () => ({
      append: (text) => void (stub.log += text),
      appendLine: (text) => void (stub.log += `${text}\n`),
      dispose() {},
    }),
    createStatusBarItem: () => (stub.bar = { show() {}, dispose() {} }),
    showWarningMessage: async (...words) => (stub.warnings.push(words), stub.answer),
    showErrorMessage: async (...words) => void stub.errors.push(words),
    showInputBox: async () => stub.input,
    withProgress: (_options, task) => task(),
  },
  workspace: {
    getConfiguration: (section) => ({ get: (name) => stub.settings[`${section}.${name}`] }),
    get workspaceFolders() {
      return stub.folders.map((fsPath) => ({ uri: { fsPath } }));
    },
  },
};
