// acpx, the client of the Agent Client Protocol, with codex-acp between it and our app-server.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

const touch = [scripts.outside("touch made"), scripts.text("Done.")];

function acpx({ world, bin }, args, agent) {
  const env = { ...world.env, CODEX_PATH: world.codex, NO_BROWSER: "1" };
  return new Promise((resolve) => {
    const options = { env, cwd: world.work, timeout: 90_000 };
    execFile(process.execPath, [bin("acpx"), "--agent", agent, "--cwd", world.work, "--timeout", "60", ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

function toAgent(name, agentOf) {
  const run = (context, ...args) => acpx(context, args, agentOf(context));
  const expectSaid = ({ code, stdout, stderr }, wanted) =>
    stdout.includes(wanted) ? null : `exit ${code}: ${(stdout + stderr).trim().split("\n").slice(-3).join(" | ")}`;
  const decide = (flag, yes) => ({
    turns: touch,
    run: async (context) => {
      const said = await run(context, flag, "exec", "Go");
      const ran = existsSync(join(context.world.work, "made"));
      return ran === yes ? expectSaid(said, yes ? "Done." : "") : `the command ${ran ? "ran" : "did not run"}: ${expectSaid(said, "\0")}`;
    },
  });
  return {
    name,
    cases: {
      plain: {
        turns: [scripts.text("Hello."), scripts.text("Title")],
        run: async (context) => expectSaid(await run(context, "--approve-all", "exec", "Hi"), "Hello."),
      },
      streaming: {
        turns: [scripts.text("Hello there."), scripts.text("Title")],
        run: async (context) => expectSaid(await run(context, "--format", "json", "--approve-all", "exec", "Hi"), "agent_message_chunk"),
      },
      "approval yes": decide("--approve-all", true),
      "approval no": decide("--deny-all", false),
      resume: {
        turns: [scripts.text("One."), scripts.text("Two."), scripts.text("Title")],
        run: async (context) => {
          const made = await run(context, "--ttl", "1", "sessions", "new");
          if (made.code !== 0) return expectSaid(made, "\0");
          const first = expectSaid(await run(context, "--ttl", "1", "--approve-all", "prompt", "Hi"), "One.");
          await new Promise((resolve) => setTimeout(resolve, 3000)); // the owner of the session leaves, and the next prompt takes it up again
          return first ?? expectSaid(await run(context, "--ttl", "1", "--approve-all", "prompt", "Again"), "Two.");
        },
      },
    },
  };
}

export const acpxClients = [
  toAgent("@agentclientprotocol/codex-acp", ({ bin }) => `${process.execPath} ${bin("@agentclientprotocol/codex-acp", "codex-acp")}`),
];
