// Programs that start codex exec: an MCP server around it, a loop over tasks, and a runtime on an older version of the SDK.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

const touch = [scripts.command("touch made"), scripts.text("Done.")];
const isMade = ({ work }) => existsSync(join(work, "made"));
const expect = (value, wanted) => (value?.trim() === wanted ? null : `${JSON.stringify(wanted)} was expected, ${JSON.stringify(value)} came`);
const git = (work, ...args) =>
  new Promise((resolve, reject) =>
    execFile("git", ["-C", work, "-c", "user.name=n", "-c", "user.email=n@example.com", ...args], (error) => (error ? reject(error) : resolve())),
  );

/** Calls tools of codex-mcp-server, and returns their texts. */
async function callTools({ load, bin, world }, ...calls) {
  const { Client } = await load("@modelcontextprotocol/sdk", "client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk", "client/stdio.js");
  const client = new Client({ name: "conformance", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin("codex-mcp-server")], env: world.env, cwd: world.work, stderr: "ignore" }));
  const texts = [];
  try {
    for (const [name, given] of calls) {
      const { content } = await client.callTool({ name, arguments: { workingDirectory: world.work, ...given } });
      texts.push(content[0].text);
    }
  } finally {
    await client.close();
  }
  return texts;
}

const mcpServer = {
  name: "codex-mcp-server",
  frontEnd: "exec",
  cases: {
    plain: {
      turns: [scripts.text("Hello.")],
      run: async (context) => expect((await callTools(context, ["codex", { prompt: "Hi" }]))[0], "Hello."),
    },
    resume: {
      turns: [scripts.text("One."), scripts.text("Two.")],
      run: async (context) => {
        const sessionId = "s";
        const [, second] = await callTools(context, ["codex", { prompt: "Hi", sessionId }], ["codex", { prompt: "Again", sessionId }]);
        const sent = context.world.model.requests.at(-1).raw.toString();
        return expect(second, "Two.") ?? (sent.includes("One.") ? null : "the second request has no history");
      },
    },
    "read-only": {
      turns: touch,
      run: async (context) => {
        const [said] = await callTools(context, ["codex", { prompt: "Go", sandbox: "read-only" }]);
        return isMade(context.world) ? "the file was made" : expect(said, "Done.");
      },
    },
    "full auto": {
      turns: touch,
      run: async (context) => {
        const [said] = await callTools(context, ["codex", { prompt: "Go", sandbox: "danger-full-access", fullAuto: true, reasoningEffort: "low" }]);
        return expect(said, "Done.") ?? (isMade(context.world) ? null : "the file was not made");
      },
    },
    "a review in prose": {
      turns: [scripts.text("It is fine.")],
      run: async (context) => {
        await git(context.world.work, "init", "-q");
        await git(context.world.work, "commit", "-q", "--allow-empty", "-m", "first");
        return expect((await callTools(context, ["review", { uncommitted: true }]))[0], "It is fine.");
      },
    },
  },
};

const loop = {
  name: "ralphy-cli",
  frontEnd: "exec",
  cases: {
    "a task": {
      turns: touch,
      run: async ({ bin, world }) => {
        await git(world.work, "init", "-q");
        await git(world.work, "commit", "-q", "--allow-empty", "-m", "first");
        const args = [bin("ralphy-cli", "ralphy"), "--codex", "Go", "--no-commit", "--fast", "--max-retries", "1"];
        const { code, said } = await new Promise((resolve) =>
          execFile(process.execPath, args, { env: world.env, cwd: world.work, timeout: 90_000 }, (error, stdout, stderr) =>
            resolve({ code: error?.code ?? 0, said: stdout + stderr }),
          ).stdin.end(),
        );
        if (code !== 0 || !said.includes("Done.")) return `exit ${code}: ${said.trim().split("\n").slice(-6).join(" | ")}`;
        return isMade(world) ? null : "the file was not made";
      },
    },
  },
};

/** One run of a session; its result. */
async function runSession(session, text, config) {
  const { events, result } = await session.run({ input: { parts: [{ type: "text", text }] }, ...(config && { config }) });
  for await (const event of events) if (event.type === "error") throw new Error(event.message);
  return result;
}

async function openRuntime({ load, world }, access) {
  const { CodexRuntime } = await load("@unified-agent-sdk/provider-codex");
  const runtime = new CodexRuntime({ client: { codexPathOverride: world.codex, env: world.env }, defaults: { skipGitRepoCheck: true } });
  const session = await runtime.openSession({ config: { workspace: { cwd: world.work }, ...(access && { access }) } });
  return { runtime, session };
}

const toAccess = (auto, wanted) => ({
  turns: touch,
  run: async (context) => {
    const { session } = await openRuntime(context, { auto });
    const { finalText } = await runSession(session, "Go");
    return isMade(context.world) === wanted ? expect(finalText, "Done.") : `the file was ${wanted ? "not " : ""}made`;
  },
});

const runtime = {
  name: "@unified-agent-sdk/provider-codex",
  frontEnd: "exec",
  cases: {
    resume: {
      turns: [scripts.text("One."), scripts.text("Two.")],
      run: async (context) => {
        const { runtime: opened, session } = await openRuntime(context);
        const first = await runSession(session, "Hi");
        const second = await runSession(await opened.resumeSession(await session.snapshot()), "Again");
        return expect(first.finalText, "One.") ?? expect(second.finalText, "Two.");
      },
    },
    "only reads": toAccess("low", false),
    "full access": toAccess("high", true),
    "a schema": {
      turns: [scripts.text('{"a":1}')],
      run: async (context) => {
        const outputSchema = { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false };
        const { session } = await openRuntime(context);
        const { structuredOutput } = await runSession(session, "Hi", { outputSchema });
        return expect(JSON.stringify(structuredOutput), '{"a":1}');
      },
    },
  },
};

export const execClients = [mcpServer, loop, runtime];
