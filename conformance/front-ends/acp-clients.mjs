// Programs that speak the Agent Client Protocol with unroll acp: a library, a provider of the AI SDK, a conductor of proxies, and an HTTP server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createAcpWire } from "./acp-wire.mjs";
import { scripts } from "./world.mjs";

const turns = [scripts.outside("touch made"), scripts.text("Done.")];

/** `run` returns the text of the answer, asking for the command with `yes`. */
function toDecisions(run) {
  const toCase = (yes) => ({
    turns,
    run: async (context) => {
      const text = await run(context, yes);
      const isMade = existsSync(join(context.world.work, "made"));
      if (isMade !== yes) return `the command ${isMade ? "ran" : "did not run"}`;
      return text.includes("Done.") ? null : `${JSON.stringify(text)} came`;
    },
  });
  return { "approval yes": toCase(true), "approval no": toCase(false) };
}

const textOf = (update) => (update?.sessionUpdate === "agent_message_chunk" ? update.content.text : "");

async function openAgent({ load, world }, permissionMode) {
  const { AgentFactory } = await load("acp-factory");
  AgentFactory.register("unroll", { command: world.codex, args: ["acp"], env: {} });
  return AgentFactory.spawn("unroll", { permissionMode, env: world.env });
}

async function readPrompt(session, prompt) {
  let text = "";
  for await (const update of session.prompt(prompt)) text += textOf(update);
  return text;
}

const library = {
  name: "acp-factory",
  frontEnd: "acp",
  cases: {
    ...toDecisions(async (context, yes) => {
      const agent = await openAgent(context, yes ? "auto-approve" : "auto-deny");
      try {
        return await readPrompt(await agent.createSession(context.world.work), "Go");
      } finally {
        await agent.close();
      }
    }),
    "load, fork and a mode": {
      turns: [scripts.text("Hello.")],
      run: async (context) => {
        const { work } = context.world;
        const agent = await openAgent(context, "auto-deny");
        try {
          const session = await agent.createSession(work);
          await readPrompt(session, "Hi");
          const fork = await session.fork();
          await session.setMode("plan");
          const loaded = await readPrompt(await agent.loadSession(session.id, work), "Again");
          if (fork.id === session.id) return "the fork has the session's id";
          return loaded.endsWith("Hello.") ? null : `${JSON.stringify(loaded)} came`;
        } finally {
          await agent.close();
        }
      },
    },
  },
};

async function stream({ load, world }, tools) {
  const [{ createACPProvider, acpTools }, { streamText, tool }, { z }] = await Promise.all(["@mcpc-tech/acp-ai-provider", "ai", "zod"].map((name) => load(name)));
  const provider = createACPProvider({ command: world.codex, args: ["acp"], env: world.env, session: { cwd: world.work, mcpServers: [] } });
  try {
    let text = "";
    const own = tools === null ? provider.tools : acpTools(tools(tool, z));
    for await (const part of streamText({ model: provider.languageModel(), prompt: "Go", tools: own }).textStream) text += part;
    return text;
  } finally {
    provider.cleanup();
  }
}

const provider = {
  name: "@mcpc-tech/acp-ai-provider",
  frontEnd: "acp",
  cases: {
    streaming: {
      turns: [scripts.text("Hello there.")],
      run: async (context) => {
        const text = await stream(context, null);
        return text === "Hello there." ? null : `${JSON.stringify(text)} came`;
      },
    },
    "a tool of the client": {
      turns: [{ items: [{ call: "mcp__acp-ai-sdk-tools__weather", arguments: { city: "Bonn" } }] }, scripts.text("Done.")],
      run: async (context) => {
        const asked = [];
        const execute = async ({ city }) => `${asked.push(city)} sunny`;
        const text = await stream(context, (tool, z) => ({ weather: tool({ description: "The weather.", inputSchema: z.object({ city: z.string() }), execute }) }));
        return asked[0] === "Bonn" && text === "Done." ? null : `the tool got ${JSON.stringify(asked)}, ${JSON.stringify(text)} came`;
      },
    },
  },
};

const conductor = {
  name: "@thinkwell/conductor",
  frontEnd: "acp",
  cases: toDecisions(async ({ load, world }, yes) => {
    const { Conductor, fromCommands, createChannelPair } = await load("@thinkwell/conductor");
    Object.assign(process.env, world.env); // the conductor passes its own environment on
    const running = new Conductor({ instantiator: fromCommands([`${world.codex} acp`]) });
    const { left, right } = createChannelPair();
    const connected = running.connect({ connect: async () => right });
    const wire = createAcpWire((message) => left.send(message), { approve: yes });
    const reading = (async () => {
      for await (const message of left.messages) wire.take(message);
    })();
    await wire.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await wire.ask("session/new", { cwd: world.work, mcpServers: [] });
    await wire.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Go" }] });
    await running.shutdown();
    await Promise.race([Promise.all([connected, reading]), new Promise((resolve) => setTimeout(resolve, 1000))]);
    return wire.text();
  }),
};

async function findPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Its server starts the adapter `codex-acp` on PATH: here that is unroll. */
const server = {
  name: "sandbox-agent",
  frontEnd: "acp",
  cases: toDecisions(async ({ load, place, world }, yes) => {
    const { SandboxAgent } = await load("sandbox-agent");
    writeFileSync(join(dirname(world.codex), "codex-acp"), `#!/bin/sh\nexec "${world.codex}" acp\n`, { mode: 0o755 });
    const port = await findPort();
    const program = place(`@sandbox-agent/cli-${process.platform}-${process.arch}`, "bin/sandbox-agent");
    const args = ["server", "--no-token", "--host", "127.0.0.1", "--port", String(port)];
    const child = spawn(program, args, { env: { ...world.env, XDG_DATA_HOME: join(world.home, "data") }, cwd: world.work, stdio: "ignore" });
    const ended = once(child, "exit");
    try {
      const agent = await SandboxAgent.connect({ baseUrl: `http://127.0.0.1:${port}` });
      const session = await agent.createSession({ agent: "codex", cwd: world.work });
      let text = "";
      session.onEvent(({ payload }) => (text += textOf(payload?.params?.update)));
      session.onPermissionRequest(({ id }) => void session.respondPermission(id, yes ? "once" : "reject"));
      await session.prompt([{ type: "text", text: "Go" }]);
      await agent.dispose();
      return text;
    } finally {
      child.kill();
      await ended;
    }
  }),
};

export const acpClients = [library, provider, conductor, server];
