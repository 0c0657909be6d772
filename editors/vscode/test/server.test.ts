import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { Server, type Connect, type Run } from "../src/server";
import { linux } from "./machines";

interface Stub {
  settings: Record<string, unknown>;
  folders: string[];
  answer: string | undefined;
  input: string | undefined;
  bar: { text: string; tooltip: string; command: string };
  log: string;
  warnings: string[][];
  errors: string[][];
  commands: string[][];
  reset(): void;
}

const stub = (vscode as unknown as { stub: Stub }).stub;
const PROGRAM = "/usr/bin/mdbench";

/** A client that notes what is done with it. */
function fakeClient(done: string[], fails = false): Connect {
  return (found, settings, _log, tell) => ({
    async start() {
      done.push(`start ${[found.program, ...settings.arguments].join(" ")}`);
      if (fails) {
        throw new Error("it does not start");
      }
      tell("running");
    },
    async stop() {
      done.push("stop");
      tell("stopped");
    },
  });
}

beforeEach(() => stub.reset());

test("a server that is found is started, and the status bar says so", async () => {
  const done: string[] = [];
  stub.settings["mdbench.arguments"] = ["--verbose"];
  const server = new Server("/storage", fakeClient(done), linux(PROGRAM));
  await server.restart();
  assert.deepEqual(done, [`start ${PROGRAM} --verbose`]);
  assert.equal(stub.bar.text, "$(check) mdbench");
  assert.equal(stub.bar.tooltip, `mdbench running: ${PROGRAM} (PATH)`);
  assert.equal(stub.bar.command, "mdbench.showLog");
});

test("a restart stops the old server first, however often it is asked for", async () => {
  const done: string[] = [];
  const server = new Server("/storage", fakeClient(done), linux(PROGRAM));
  await Promise.all([server.restart(), server.restart(), server.restart()]);
  const start = `start ${PROGRAM}`;
  assert.deepEqual(done, [start, "stop", start, "stop", start]);
  assert.equal(stub.bar.text, "$(check) mdbench");
});

test("a server of the workspace is preferred, and settings turn it off", async () => {
  const done: string[] = [];
  stub.folders = ["/work"];
  const inside = "/work/.venv/bin/mdbench";
  const server = new Server("/storage", fakeClient(done), linux(PROGRAM, inside));
  await server.restart();
  stub.settings["mdbench.enable"] = false;
  await server.restart();
  assert.deepEqual(done, [`start ${inside}`, "stop"]);
  assert.match(stub.bar.tooltip, /turned off/);
});

test("a server that does not start is reported", async () => {
  const server = new Server("/storage", fakeClient([], true), linux(PROGRAM));
  await server.restart();
  assert.equal(stub.bar.text, "$(error) mdbench");
  assert.deepEqual(stub.errors, [["mdbench: Error: it does not start"]]);
});

test("a missing server is offered to be installed, once", async () => {
  const server = new Server("/storage", fakeClient([]), linux());
  await server.restart();
  await server.restart();
  const told = "mdbench was found neither in the workspace nor in PATH";
  assert.deepEqual(stub.warnings, [[told, "Install", "Open Settings"]]);
  assert.equal(stub.bar.text, "$(warning) mdbench");
});

test("a wrong path is not replaced by an installation", async () => {
  stub.settings["mdbench.path"] = "/nowhere";
  stub.answer = "Open Settings";
  const server = new Server("/storage", fakeClient([]), linux(PROGRAM));
  await server.restart();
  assert.deepEqual(stub.warnings, [["mdbench.path is no program: /nowhere", "Open Settings"]]);
  await Promise.resolve();
  assert.deepEqual(stub.commands, [["workbench.action.openSettings", "mdbench.path"]]);
});

test("it is installed on request, and then started", async () => {
  const programs = ["/usr/bin/python3"];
  const steps: string[] = [];
  const run: Run = async (step) => {
    steps.push([step.program, ...step.arguments].join(" "));
    programs.push("/storage/server/bin/mdbench");
  };
  const done: string[] = [];
  const machine = { ...linux(), isProgram: (path: string) => programs.includes(path) };
  const server = new Server("/storage", fakeClient(done), machine, run);
  stub.input = "/src/mdbench";
  await server.install();
  assert.equal(steps.length, 2);
  assert.ok(steps[1]?.endsWith("-- /src/mdbench[lsp]"));
  assert.deepEqual(done, ["start /storage/server/bin/mdbench"]);
});

test("nothing is installed without an answer, without Python or if pip fails", async () => {
  const run: Run = async () => {
    throw new Error("no network");
  };
  const server = new Server("/storage", fakeClient([]), linux("/usr/bin/python3"), run);
  await server.install();
  assert.deepEqual(stub.errors, []);
  stub.settings["mdbench.requirement"] = "mdbench";
  await server.install();
  assert.deepEqual(stub.errors.pop(), ["mdbench: mdbench was not installed: Error: no network"]);
  await new Server("/storage", fakeClient([]), linux(), run).install();
  assert.match(String(stub.errors.pop()), /no Python in PATH/);
});
