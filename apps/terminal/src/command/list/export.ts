import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { listNamedSecrets } from "@unroll/config";
import { createSecretMask, describeSystemError } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

export const exportCommand: TerminalCommand = {
  name: "export",
  description: "write the conversation into a file: .md, or .html",
  argument: "[FILE]",
  timing: "always",
  async run({ conversation, host, tell }, argument) {
    const { createThreadDocument, renderThreadMarkdown, renderThreadPage } = await import("@unroll/report");
    const { toPriceOf } = await import("../../text/to-price-of.ts");
    const { maskStrings } = await import("@unroll/tools");
    const { config } = conversation;
    // As `unroll threads export`: it is to be shared, what people typed and models said included.
    const { mask } = createSecretMask(listNamedSecrets(config, host.env));
    const document = maskStrings(createThreadDocument(await conversation.entries(), toPriceOf(config)), mask);
    if (document.threadId === "") return tell("There is nothing to export yet.");
    const name = argument === "" ? `unroll-${conversation.thread.id}.md` : argument;
    const path = resolve(config.cwd, name);
    const text = path.endsWith(".html") ? renderThreadPage(document) : renderThreadMarkdown(document);
    try {
      await writeFile(path, text, { flag: "wx", mode: 0o600 });
      tell(`Written: ${path}`);
    } catch (error) {
      tell(`${path} cannot be written: ${describeSystemError(error)}.`);
    }
  },
};
