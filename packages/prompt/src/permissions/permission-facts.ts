import type { MessageItem, NetworkAccess } from "@unroll/protocol";
import type { PermissionsContext } from "../prompt-context.ts";
import { listPaths } from "../text/bounded-text.ts";
import { listReadOnly } from "./sandbox-permissions.ts";

/**
 * The facts in a permissions message, independent of its words. Lists are as the message shows them; empty: it says
 * nothing of it.
 */
export type PermissionFacts = Readonly<
  Record<"sandbox" | "gaps" | "writable" | "readOnly" | "git" | "hidden" | "network" | "approvals", string>
>;

const nothing = { gaps: "", writable: "", readOnly: "", git: "", hidden: "", network: "" };

/** The facts in the message that `renderPermissionsChange` makes of the same context. */
export function toPermissionFacts({
  sandboxPolicy: policy,
  sandboxReport,
  approvalPolicy,
}: PermissionsContext): PermissionFacts {
  const gaps = (sandboxReport?.lacks ?? []).join(" ");
  const settled = { ...nothing, gaps, sandbox: policy.mode, approvals: approvalPolicy };
  switch (policy.mode) {
    case "danger-full-access":
      return settled;
    case "read-only":
      return { ...settled, hidden: listPaths(policy.hidden), network: nameNetwork(policy.network) };
    case "workspace-write": {
      const writable = listPaths(policy.roots.map(({ path }) => path));
      const lists = { writable, readOnly: listPaths(listReadOnly(policy)), hidden: listPaths(policy.hidden) };
      return { ...settled, ...lists, git: policy.git, network: nameNetwork(policy.network) };
    }
  }
}

function nameNetwork(network: NetworkAccess): string {
  return network.type === "hosts" ? JSON.stringify([network.allow, network.deny]) : network.type;
}

/** How the paragraphs begin that unroll 0.1 wrote. Its words do not change any more, whatever ours are by now. */
const openings = {
  writable: "Commands that you run with the shell tool may read files everywhere, and create, change and delete them",
  readOnly: "So do these in there, for the same reason:",
  hidden: "Hidden from commands, on purpose,",
};
const gitOpenings = { writable: "Git works:", protected: "All of `.git` is read-only:" };

/**
 * Reads the facts of a message that unroll 0.1 wrote: it saved the words instead of the facts. Null: it is no such
 * message.
 */
export function readPermissionFacts({ content }: MessageItem): PermissionFacts | null {
  const text = content.map((part) => ("text" in part ? part.text : "")).join("");
  const [, heading = ""] = /^# Sandbox: (.+)$/m.exec(text) ?? [];
  const [, approvals = ""] = /^# Approvals: (.+)$/m.exec(text) ?? [];
  if (heading === "" || approvals === "") return null;
  const paragraphs = text.split("\n\n");
  const listOf = (name: keyof typeof openings): string => {
    const [, ...lines] = paragraphs.find((each) => each.startsWith(openings[name]))?.split("\n") ?? [];
    return lines.join("\n") === "- none" ? "" : lines.join("\n");
  };
  const git = Object.entries(gitOpenings).find(([, opening]) => paragraphs.some((each) => each.startsWith(opening)));
  const [, network = ""] = /^Network: (open|closed)\b/m.exec(text) ?? [];
  return {
    gaps: "",
    sandbox: heading === "none" ? "danger-full-access" : heading,
    writable: listOf("writable"),
    readOnly: listOf("readOnly"),
    git: git?.[0] ?? "",
    hidden: listOf("hidden"),
    network,
    approvals,
  };
}
