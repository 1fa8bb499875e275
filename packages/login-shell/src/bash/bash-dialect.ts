import { join } from "node:path";
import { quoteWord } from "@unroll/text";
import { toReadTest } from "../shell/read-test.ts";
import type { ShellDialect } from "../shell/shell-dialect.ts";
import { toBashDriver, toBashDump } from "./bash-script.ts";
import { parseBashDump } from "./parse-bash-dump.ts";
import { renderBashState } from "./render-bash-state.ts";

/** `--norc`: without it bash reads `~/.bashrc`, and no `BASH_ENV`, where it believes that ssh or a network connection started it. */
const plain = ["--norc", "-c"] as const;

/** Any version: from 3.2, which macOS has. */
export const bashDialect: ShellDialect = {
  fileName: "login.bash",
  toProbe({ program, nonce, environment, folder }) {
    const given = environment["BASH_ENV"];
    const restore = given === undefined ? "unset BASH_ENV" : `export BASH_ENV=${quoteWord(given)}`;
    const script = `${toReadTest({ folder, nonce })}\n${toBashDriver(restore)}`;
    return { argv: [program, ...plain, script, program, toBashDump(nonce)], environment: { BASH_ENV: "" } };
  },
  toDump: toBashDump,
  enter: ({ program, words }, path) => ({ argv: [program, ...plain, ...words], environment: { BASH_ENV: path } }),
  parse: parseBashDump,
  render: renderBashState,
  profileFiles: (home) => [
    "/etc/profile",
    "/etc/profile.d",
    "/etc/bash.bashrc",
    "/etc/bashrc",
    ...[".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"].map((name) => join(home, name)),
  ],
};
