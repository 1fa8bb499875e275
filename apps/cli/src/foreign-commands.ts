/** A subcommand of the Codex CLI (0.169) that unroll does not have. */
interface ForeignCommand {
  /** Its work there, to follow its name. */
  readonly does: string;
  /** The way to do that here, as one sentence. */
  readonly here: string;
}

const none = "unroll has nothing like it.";

/** All of them, by name. */
export const foreignCommands: Readonly<Record<string, ForeignCommand>> = {
  apply: {
    does: "applies the latest diff of an agent in Codex Cloud",
    here: "unroll edits your files itself; unroll apply-patch applies a patch from stdin.",
  },
  archive: { does: "archives a session", here: "Use unroll threads archive ID." },
  cloud: { does: "works with tasks of Codex Cloud", here: none },
  debug: {
    does: "shows internals, such as the model catalogue",
    here: "Use unroll models, unroll doctor or unroll config explain.",
  },
  delete: { does: "deletes a session", here: "Use unroll threads delete ID." },
  "exec-server": { does: "serves commands to another machine", here: none },
  features: {
    does: "lists and switches feature flags",
    here: "unroll has no feature flags: unroll config explain lists all settings.",
  },
  "migrate-nfs-db": { does: "migrates its databases", here: "unroll has no databases." },
  "migrate-rollouts": { does: "migrates old sessions", here: "unroll reads old threads as they are." },
  plugin: { does: "manages plugins", here: "unroll has skills (unroll skills) and MCP servers (unroll mcp)." },
  "remote-control": { does: "serves sessions to another device", here: "Use unroll app-server --listen." },
  unarchive: { does: "restores an archived session", here: "Use unroll threads unarchive ID." },
  update: {
    does: "updates the Codex CLI",
    here: "Update unroll as you installed it, such as npm install -g unroll-agent.",
  },
};

const shortNames: Readonly<Record<string, string>> = { a: "apply" };

/** The answer to a command line that begins with such a subcommand; null: it does not. */
export function describeForeign(word: string | null): string | null {
  const name = shortNames[word ?? ""] ?? word ?? "";
  const command = Object.hasOwn(foreignCommands, name) ? foreignCommands[name] : undefined;
  if (command === undefined) return null;
  return `${word} is a subcommand of the Codex CLI that unroll does not have: it ${command.does}. ${command.here} (To send it as a prompt: " ${word}")`;
}
