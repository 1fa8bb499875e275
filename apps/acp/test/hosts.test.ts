import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openAcpWorld } from "./acp-world.ts";

test.skipIf(!hasSandbox)(
  "a command that runs on after its turn asks for its hosts, and the answer counts",
  async () => {
    const { port, cmd } = await askTwoHosts();
    const start = { call: "exec_command", arguments: { cmd, login: false, yield_time_ms: 250 } };
    await using world = await openAcpWorld(
      { script: { turns: [{ items: [start] }, { items: [{ text: "It runs." }] }] } },
      "[sandbox_workspace_write]\nnetwork = { allow = [] }\n",
    );
    const hasEnded = Promise.withResolvers<void>();
    const permit = async (): Promise<string> => hasEnded.promise.then(() => "once");
    const editor = await world.open({ sandbox: "workspace-write", askForApproval: "on-request", permit });
    const { sessionId } = await editor.begin();
    await editor.prompt(sessionId, "Go");
    hasEnded.resolve();
    await editor.find("tool_call_update", ({ status }) => status === "completed" || status === "failed");
    expect(
      editor.asked.map(({ toolCall, options }) => [toolCall.title, options.map(({ optionId }) => optionId)]),
    ).toEqual([
      [`Reach 127.0.0.1:${port}`, ["once", "thread", "always", "no"]],
      [`Reach 127.0.0.2:${port}`, ["once", "thread", "always", "no"]],
    ]);
  },
);
