/** Machines that hold the programs that a test lists. */

import type { Machine } from "../src/finding";

export function linux(...programs: string[]): Machine {
  return {
    platform: "linux",
    home: "/home/ada",
    searched: "/usr/local/bin:/usr/bin:.::relative",
    isProgram: (path) => programs.includes(path),
  };
}

export function windows(...programs: string[]): Machine {
  return {
    platform: "win32",
    home: "C:\\Users\\ada",
    searched: "C:\\Python;;D:\\tools",
    isProgram: (path) => programs.includes(path),
  };
}
