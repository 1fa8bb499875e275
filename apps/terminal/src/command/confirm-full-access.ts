import type { CommandContext } from "./terminal-command.ts";

/** Asks whether you turn on full access. Leaving the question keeps it off. */
export async function confirmFullAccess({ choose, thread: { config } }: CommandContext): Promise<boolean> {
  const asks =
    config.approvalPolicy === "never" ? "and you are never asked" : `approvals stay ${config.approvalPolicy}`;
  const title = `Turn on full access? There is no sandbox then, ${asks}.`;
  const options = [
    { value: "no", label: "no", description: "" },
    { value: "yes", label: "yes", description: "until you change it" },
  ];
  return (await choose({ title, options })) === "yes";
}
