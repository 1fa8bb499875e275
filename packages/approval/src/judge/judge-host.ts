import type { GatedHost } from "@unroll/tools";
import { type AskJudgement, type JudgePlace, runInside } from "./judgement.ts";

/** Such a host is always asked about. */
export function judgeHost({ hosts, prompt, command, cwd }: GatedHost, place: JudgePlace): AskJudgement {
  const [host = ""] = hosts;
  const reason =
    prompt === null
      ? `${host} is not among the hosts that commands may reach.`
      : `${host} needs an answer each time: your network_rule for ${prompt} asks.`;
  return {
    type: "ask",
    question: {
      type: "host.approval",
      ...place,
      askedBy: "sandbox_workspace_write.network",
      reason,
      hosts,
      endsByRule: prompt === null,
      command,
      cwd,
    },
    verdict: runInside,
    kept: hosts.map((each) => ["host", each]),
  };
}

/** How to allow the host beforehand, where nobody can be asked. */
export function adviseOnHost({ hosts: [host = ""], prompt }: GatedHost): string {
  const how = prompt === null ? `: --allow-host ${host}` : ", change that rule.";
  return `Nobody is here to approve it. To allow it beforehand${how}`;
}
