import { explainConfig } from "@unroll/config";
import { toConfigSources } from "@unroll/program";
import { showHidden } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

export const configCommand: TerminalCommand = {
  name: "config",
  description: "what the config says and where; KEY=VALUE writes into your config.toml",
  argument: "[KEY|KEY=VALUE]",
  timing: "always",
  async run({ conversation, host, page, tell }, argument) {
    const { cwd, codexHome } = conversation.config;
    const [, key = argument, value = null] = /^([^=]+)=(.*)$/.exec(argument) ?? [];
    if (value !== null) {
      const { setKey } = await import("@unroll/use-cases/config");
      const { describeWrittenKey } = await import("@unroll/report");
      const set = { codexHome, key: key.trim(), value: value.trim() };
      const written = await setKey(set, { flags: { cd: cwd }, host });
      for (const warning of written.warnings) tell(showHidden(warning));
      return tell(showHidden(`${describeWrittenKey(written)} This program reads it when it starts next.`));
    }
    const { keys } = await explainConfig(await toConfigSources({ cd: cwd }, host), key === "" ? null : key);
    const set = keys.filter(({ origin }) => key !== "" || origin?.type === "file" || origin?.type === "argument");
    const lines = set.map(({ key: name, toml, origin, meaning }) => {
      const from =
        origin?.type === "file" ? `${origin.path}:${origin.line}` : (origin?.type ?? "not set").replaceAll("_", " ");
      return `${name} = ${toml}  # ${from}${key !== "" && meaning !== null ? `\n    ${withoutLinks(meaning)}` : ""}`;
    });
    const text =
      lines.length === 0
        ? "Nothing is set: all is as it comes. unroll config explain shows every key."
        : lines.join("\n");
    if (lines.length > 12) page({ title: "Config", text: showHidden(text), kind: "text" });
    else tell(showHidden(text));
  },
};

/** The docs are pages, and here there is only the name of one. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}
