import { toConfigSources } from "@unroll/program";
import { showHidden } from "@unroll/text";
import type { ArgumentChoice, TerminalCommand } from "../terminal-command.ts";

export const configCommand: TerminalCommand = {
  name: "config",
  description: "show settings and where they are set, or set one",
  argument: "[KEY|KEY=VALUE]",
  choices: listChoices,
  timing: "always",
  isHarmless: true,
  async run({ thread, host, page, tell }, argument) {
    const { cwd, codexHome } = thread.config;
    const [, key = argument, value = null] = /^([^=]+)=(.*)$/.exec(argument) ?? [];
    if (value !== null) {
      const { setKey } = await import("@unroll/use-cases/config");
      const { describeWrittenKey } = await import("@unroll/report");
      const set = { codexHome, key: key.trim(), value: value.trim() };
      const written = await setKey(set, { flags: { cd: cwd }, host });
      for (const warning of written.warnings) tell(showHidden(warning));
      return tell(showHidden(`${describeWrittenKey(written)} It takes effect at the next start.`));
    }
    const { explainConfig } = await import("@unroll/config/upkeep");
    const { keys } = await explainConfig(await toConfigSources({ cd: cwd }, host), key === "" ? null : key);
    const set = keys.filter(({ origin }) => key !== "" || origin?.type === "file" || origin?.type === "argument");
    const lines = set.map(({ key: name, toml, origin, meaning }) => {
      const from =
        origin?.type === "file" ? `${origin.path}:${origin.line}` : (origin?.type ?? "not set").replaceAll("_", " ");
      return `${name} = ${toml}  # ${from}${key !== "" && meaning !== null ? `\n    ${withoutLinks(meaning)}` : ""}`;
    });
    const text =
      lines.length === 0
        ? "Nothing is set. `unroll config explain` shows every key and its default."
        : lines.join("\n");
    if (lines.length > 12) page({ title: "Config", text: showHidden(text), kind: "text" });
    else tell(showHidden(text));
  },
};

/** The keys without a name of yours in them; with their values, where these are words. */
async function listChoices(): Promise<readonly ArgumentChoice[]> {
  const { listConfigKeys } = await import("@unroll/config");
  const keys = listConfigKeys().filter(({ name }) => !name.includes("*"));
  const values = keys.flatMap(({ name, choices }) => (choices ?? []).map((value) => `${name}=${value}`));
  return [
    ...keys.map(({ name, shown }) => ({ value: name, description: shown.replaceAll("`", "") })),
    ...values.map((value) => ({ value, description: "" })),
  ];
}

/** Links into the docs lead nowhere here. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}
