// acpx, the client of the Agent Client Protocol: with codex-acp between it and our app-server, and on unroll acp itself.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withAgent } from "./acp-wire.mjs";
import { scripts } from "./world.mjs";

const touch = [scripts.outside("touch made"), scripts.text("Done.")];

const long = [scripts.command("sleep 30"), scripts.text("Too late.")];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function acpx({ world, bin }, args, agent) {
  const env = { ...world.env, CODEX_PATH: world.codex, NO_BROWSER: "1" };
  return new Promise((resolve) => {
    const options = { env, cwd: world.work, timeout: 90_000 };
    execFile(process.execPath, [bin("acpx"), "--agent", agent, "--cwd", world.work, "--timeout", "60", ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** `more`: cases of its own, of what runs acpx and looks at what it said. */
function toAgent({ name, frontEnd }, agentOf, more = () => ({})) {
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
    frontEnd,
    cases: {
      plain: {
        turns: [scripts.text("Hello.")],
        run: async (context) => expectSaid(await run(context, "--approve-all", "exec", "Hi"), "Hello."),
      },
      streaming: {
        turns: [scripts.text("Hello there.")],
        run: async (context) => expectSaid(await run(context, "--format", "json", "--approve-all", "exec", "Hi"), "agent_message_chunk"),
      },
      "approval yes": decide("--approve-all", true),
      "approval no": decide("--deny-all", false),
      resume: {
        turns: [scripts.text("One."), scripts.text("Two.")],
        run: async (context) => {
          const made = await run(context, "--ttl", "1", "sessions", "new");
          if (made.code !== 0) return expectSaid(made, "\0");
          const first = expectSaid(await run(context, "--ttl", "1", "--approve-all", "prompt", "Hi"), "One.");
          await pause(3000); // the owner of the session leaves, and the next prompt takes it up again
          return first ?? expectSaid(await run(context, "--ttl", "1", "--approve-all", "prompt", "Again"), "Two.");
        },
      },
      "a sub-agent": {
        turns: [scripts.spawn("Look around."), scripts.text("Found three."), scripts.text("All done.")],
        run: async (context) => {
          const said = await run(context, "--format", "json", "--approve-all", "exec", "Go");
          return expectSaid(said, "All done.") ?? expectSaid(said, "Look around.") ?? expectSaid(said, "Found three.");
        },
      },
      ...more(run, expectSaid),
    },
  };
}

const unroll = ({ world }) => `${world.codex} acp`;

/** Cases with settings that the other agent does not have. */
const ownCases = (run, expectSaid) => ({
  tools: {
    turns: [scripts.command("touch made"), scripts.text("Done.")],
    run: async (context) => {
      await run(context, "sessions", "new");
      await run(context, "set-mode", "full");
      const said = expectSaid(await run(context, "--deny-all", "prompt", "Go"), "Done.");
      await run(context, "sessions", "close");
      return said ?? (existsSync(join(context.world.work, "made")) ? null : "the command did not run");
    },
  },
  interrupt: {
    turns: long,
    run: async (context) => {
      await run(context, "sessions", "new");
      await run(context, "set-mode", "full");
      const started = Date.now();
      const prompt = run(context, "--approve-all", "prompt", "Go");
      while (context.world.model.requests.length === 0 && Date.now() - started < 20_000) await pause(200);
      await pause(1000);
      const cancelled = await run(context, "cancel");
      const said = await prompt;
      await run(context, "sessions", "close");
      if (context.world.model.requests.length > 1) return "the turn was not interrupted";
      return cancelled.code === 0 && said.stdout.includes("cancelled") ? null : expectSaid(said, "\0");
    },
  },
});

const adapter = ({ bin }) => [process.execPath, bin("@agentclientprotocol/codex-acp", "codex-acp")];

/** Methods of the adapter that acpx does not call. */
const adapterCases = () => ({
  "modes, load, fork, close and delete": {
    turns: [scripts.text("One."), scripts.text("Two.")],
    run: async (context) => {
      const { world } = context;
      const options = { cwd: world.work, env: { ...world.env, CODEX_PATH: world.codex, NO_BROWSER: "1" } };
      const place = { cwd: world.work, mcpServers: [] };
      const prompt = [{ type: "text", text: "Hi" }];
      const sessionId = await withAgent(adapter(context), options, async ({ ask }) => {
        const opened = await ask("session/new", place);
        const session = { sessionId: opened.sessionId };
        await ask("session/prompt", { ...session, prompt });
        await ask("session/set_config_option", { ...session, configId: "collaboration_mode", value: "plan" });
        await ask("session/set_mode", { ...session, modeId: "read-only" });
        await ask("session/fork", { ...session, ...place });
        await ask("session/close", session);
        return session.sessionId;
      });
      return withAgent(adapter(context), options, async ({ ask, text }) => {
        await ask("session/load", { sessionId, ...place });
        const loaded = text();
        await ask("session/prompt", { sessionId, prompt });
        if (loaded !== "One." || !text().endsWith("Two.")) return `loaded ${JSON.stringify(loaded)}, then ${JSON.stringify(text())}`;
        await ask("session/delete", { sessionId });
        const { sessions } = await ask("session/list", { cwd: world.work });
        return sessions.some((each) => each.sessionId === sessionId) ? "the deleted session is listed" : null;
      });
    },
  },
});

export const acpxClients = [
  toAgent({ name: "@agentclientprotocol/codex-acp", frontEnd: "app-server" }, (context) => adapter(context).join(" "), adapterCases),
  toAgent({ name: "acpx", frontEnd: "acp" }, unroll, ownCases),
];
