import assert from "node:assert/strict";
import { test } from "node:test";
import { expandPath, findServer, type Places } from "../src/finding";
import { linux, windows } from "./machines";

const PLACES: Places = { stated: "", folders: ["/work/a", "/work/b"], own: "/storage/server" };
const EVERYWHERE = [
  "/work/a/.venv/bin/mdbench",
  "/work/a/venv/bin/mdbench",
  "/work/b/.venv/bin/mdbench",
  "/usr/local/bin/mdbench",
  "/usr/bin/mdbench",
  "/storage/server/bin/mdbench",
];

test("the nearest program wins: workspace, PATH, then what was installed", () => {
  for (const [at, program] of EVERYWHERE.entries()) {
    const found = findServer(PLACES, linux(...EVERYWHERE.slice(at)));
    assert.equal(found?.program, program);
  }
  const origins = EVERYWHERE.map((_, at) => findServer(PLACES, linux(...EVERYWHERE.slice(at))));
  assert.deepEqual(
    origins.map((one) => one?.origin),
    ["workspace", "workspace", "workspace", "PATH", "PATH", "installed"],
  );
});

test("nothing is found where there is nothing", () => {
  assert.equal(findServer(PLACES, linux()), undefined);
  assert.equal(findServer({ ...PLACES, folders: [] }, linux()), undefined);
});

test("entries of PATH that depend on the folder are not searched", () => {
  assert.equal(findServer(PLACES, linux("mdbench", "relative/mdbench", "./mdbench")), undefined);
});

test("the setting wins, and no other program is taken instead of it", () => {
  const stated = { ...PLACES, stated: "/opt/mdbench" };
  assert.deepEqual(findServer(stated, linux("/opt/mdbench", ...EVERYWHERE)), {
    program: "/opt/mdbench",
    origin: "setting",
  });
  assert.equal(findServer(stated, linux(...EVERYWHERE)), undefined);
});

test("the setting may use the home and the workspace", () => {
  const machine = linux();
  assert.equal(expandPath("~/bin/mdbench", "/work/a", machine), "/home/ada/bin/mdbench");
  assert.equal(expandPath("~ada/mdbench", "/work/a", machine), "/work/a/~ada/mdbench");
  assert.equal(expandPath("${workspaceFolder}/x", "/work/$&", machine), "/work/$&/x");
  assert.equal(expandPath(".tox/bin/mdbench", "/work/a", machine), "/work/a/.tox/bin/mdbench");
  assert.equal(expandPath("~\\m.exe", "C:\\w", windows()), "C:\\Users\\ada\\m.exe");
});

test("on Windows, programs are in Scripts and end in .exe", () => {
  const places = { stated: "", folders: ["C:\\work"], own: "C:\\storage\\server" };
  const program = "C:\\work\\.venv\\Scripts\\mdbench.exe";
  assert.equal(findServer(places, windows(program))?.program, program);
  assert.equal(findServer(places, windows("D:\\tools\\mdbench.exe"))?.origin, "PATH");
  const own = "C:\\storage\\server\\Scripts\\mdbench.exe";
  assert.equal(findServer(places, windows(own))?.origin, "installed");
});
