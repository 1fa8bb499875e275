// A process outside that means no harm and does harm: it renames folders of the workspace, turns them into links and back,
// removes empty ones, and replaces the file with the key by an equal one.
import { existsSync, mkdirSync, renameSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Until `signal`. Returns what it did. No name has a folder in it that could be a link: each call works on the name itself. */
export async function shuffle({ workspace, outside, codexHome }, { pick, random, signal }) {
  const at = (name) => join(workspace, name);
  const names = ["a", "b", "sub", "lib", "d", "g"];
  const done = [];
  const actions = {
    rename: () => renameSync(at(pick(names)), at(pick(names))),
    link: () => symlinkSync(pick([outside, codexHome, at("lib"), "../outside"]), at(pick(names))),
    unlink: () => unlinkSync(at(pick(names))),
    make: () => mkdirSync(at(pick(names)), { recursive: false }),
    clean: () => {
      for (const name of [".codex", ".agents"]) tolerate(() => rmdirSync(at(name)));
    },
    git: () => {
      renameSync(at(".git"), at("g.moved"));
      // For a moment there is none.
      if (!existsSync(at(".git"))) renameSync(at("g.moved"), at(".git"));
    },
    key: () => {
      writeFileSync(join(codexHome, "auth.json.tmp"), "SECRET-7f3a\n");
      renameSync(join(codexHome, "auth.json.tmp"), join(codexHome, "auth.json"));
    },
  };
  while (!signal.aborted) {
    const action = pick(Object.keys(actions));
    done.push(action);
    tolerate(actions[action]);
    await delay(random() * 8);
  }
  return done;
}

function tolerate(work) {
  try {
    work();
  } catch {
    // It is not there, or something else is: so it goes among programs that share a folder.
  }
}
