import assert from "node:assert/strict";
import { test } from "node:test";
import { planInstallation, runStep, withServer } from "../src/installing";
import { linux, windows } from "./machines";

test("mdbench is installed into an environment of its own", () => {
  const steps = planInstallation("/src/mdbench", "/storage/server", linux("/usr/bin/python3"));
  assert.deepEqual(steps?.[0], {
    program: "/usr/bin/python3",
    arguments: ["-m", "venv", "--clear", "/storage/server"],
  });
  assert.equal(steps?.[1]?.program, "/storage/server/bin/python");
  assert.deepEqual(steps?.[1]?.arguments.slice(-2), ["--", "/src/mdbench[lsp]"]);
});

test("on Windows, the launcher is used where there is one", () => {
  const launcher = windows("C:\\Python\\py.exe", "D:\\tools\\python.exe");
  assert.equal(planInstallation("x", "C:\\s", launcher)?.[0]?.program, "C:\\Python\\py.exe");
  const python = windows("D:\\tools\\python.exe");
  assert.equal(planInstallation("x", "C:\\s", python)?.[0]?.program, "D:\\tools\\python.exe");
});

test("without Python there is nothing to run", () => {
  assert.equal(planInstallation("x", "/s", linux()), undefined);
});

test("the extra of the server is added where none is named", () => {
  assert.equal(withServer("mdbench"), "mdbench[lsp]");
  assert.equal(withServer("/dist/mdbench-1-py3-none-any.whl"), "/dist/mdbench-1-py3-none-any.whl[lsp]");
  assert.equal(withServer("git+https://host/x@1"), "mdbench[lsp] @ git+https://host/x@1");
  assert.equal(withServer("mdbench[all]"), "mdbench[all]");
});

test("a step runs without a shell and logs what it prints", async () => {
  let log = "";
  const keep = (text: string) => void (log += text);
  const code = "console.log(process.argv[1]); process.exitCode = Number(process.argv[2])";
  await runStep({ program: process.execPath, arguments: ["-e", code, "$(id)", "0"] }, keep);
  assert.match(log, /\n\$\(id\)\n$/);
  await assert.rejects(runStep({ program: process.execPath, arguments: ["-e", code, "x", "3"] }, keep));
});
