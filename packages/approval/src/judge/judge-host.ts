import type { GatedHost } from "@unroll/tools";
import { type AskJudgement, type JudgePlace, runInside } from "./judgement.ts";

/** A host that no rule names is always asked about. */
export function judgeHost({ hosts, command, cwd }: GatedHost, place: JudgePlace): AskJudgement {
  const [host = ""] = hosts;
  const reason = `${host} is not among the hosts that commands may reach.`;
  return {
    type: "ask",
    question: {
      type: "host.approval",
      ...place,
      askedBy: "sandbox_workspace_write.network",
      reason,
      hosts,
      command,
      cwd,
    },
    verdict: runInside,
    kept: hosts.map((each) => ["host", each]),
  };
}

/** How to allow the host beforehand, where nobody can be asked. */
export function adviseOnHost(host: string): string {
  return `Nobody is here to approve it. To allow it beforehand: --allow-host ${host}`;
}
