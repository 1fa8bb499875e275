import { dirname, join } from "node:path";
import { toReadTest } from "../shell/read-test.ts";
import type { ShellDialect } from "../shell/shell-dialect.ts";
import { parseZshDump } from "./parse-zsh-dump.ts";
import { renderZshState } from "./render-zsh-state.ts";
import { toZshDriver, toZshDump } from "./zsh-script.ts";

const profileNames = [".zshenv", ".zprofile", ".zlogin", ".zshrc"];
const systemNames = ["zshenv", "zprofile", "zlogin", "zshrc"];

/** From 5.0 on. */
export const zshDialect: ShellDialect = {
  fileName: ".zshenv",
  toProbe({ program, nonce, environment, folder }) {
    const script = `${toReadTest({ folder, nonce })}\n${toZshDriver(folder, environment["ZDOTDIR"])}`;
    return { argv: ["sh", "-c", script, "sh", program, toZshDump(nonce)], environment: {} };
  },
  toDump: toZshDump,
  enter: ({ program, words }, path) => ({
    argv: [program, "-c", ...words],
    environment: { ZDOTDIR: dirname(path) },
  }),
  parse: parseZshDump,
  render: renderZshState,
  profileFiles: (home, environment) => [
    ...systemNames.flatMap((name) => [`/etc/${name}`, `/etc/zsh/${name}`]),
    ...[home, environment["ZDOTDIR"] ?? home].flatMap((folder) => profileNames.map((name) => join(folder, name))),
  ],
};
