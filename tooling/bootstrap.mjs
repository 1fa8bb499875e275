#!/usr/bin/env node
// One entry point for a fresh clone:   npm start [-- args]   |   npm test [-- args]   |   npm run bench   |   npm run shell   |   npm run pack
//
// It has no static imports: an old Node.js, which fails on those of the tasks, is to say which one it needs.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 14 || (major === 14 && minor >= 18)) {
  void import("./bootstrap/tasks.mjs");
} else {
  process.stderr.write(
    `[bootstrap] This is Node.js ${process.version}. Install Node.js 24.16 or later (nodejs.org) and run this again. ` +
      "From 14.18 on, the one that is needed is fetched for you.\n",
  );
  process.exit(1);
}
