import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readSettings } from "../src/settings";

const PACKAGE = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf-8"));
const DECLARED: Record<string, { default: unknown }> = PACKAGE.contributes.configuration.properties;

function read(values: Record<string, unknown>) {
  return readSettings({ get: (name) => values[name] });
}

test("the declared defaults are the defaults", () => {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(DECLARED)) {
    values[name.replace("mdbench.", "")] = property.default;
  }
  const expected = { enable: true, path: "", arguments: [], requirement: "", trace: "off" };
  assert.deepEqual(read(values), expected);
  assert.deepEqual(read({}), expected);
});

test("every declared setting is read", () => {
  const asked = new Set<string>();
  readSettings({ get: (name) => void asked.add(`mdbench.${name}`) });
  assert.deepEqual([...asked].sort(), Object.keys(DECLARED).sort());
});

test("stated values are taken, and wrong ones are not", () => {
  const stated = { enable: false, path: " /x ", arguments: ["--a", 1, "b"], "trace.server": "verbose" };
  const { enable, path, arguments: more, trace } = read(stated);
  assert.deepEqual([enable, path, more, trace], [false, "/x", ["--a", "b"], "verbose"]);
  const wrong = read({ enable: "no", path: 7, arguments: "--x", "trace.server": "loud" });
  assert.deepEqual(wrong, { enable: true, path: "", arguments: [], requirement: "", trace: "off" });
});

test("a workspace cannot choose what is installed", () => {
  assert.equal((DECLARED["mdbench.requirement"] as { scope?: string }).scope, "machine");
  assert.equal(PACKAGE.capabilities.untrustedWorkspaces.supported, false);
});
