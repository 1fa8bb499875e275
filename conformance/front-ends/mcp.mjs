// The client of the official MCP SDK on `unroll mcp-server`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

const sdk = "@modelcontextprotocol/sdk";
const touch = [scripts.outside("touch made"), scripts.text("Done.")];

/** `answer`: of every question; null: the client cannot be asked. */
async function open({ load, world }, answer) {
  const [{ Client }, { StdioClientTransport }, { ElicitRequestSchema }] = await Promise.all(
    ["client/index.js", "client/stdio.js", "types.js"].map((part) => load(sdk, part)),
  );
  const client = new Client({ name: "front-ends", version: "1" }, { capabilities: answer === null ? {} : { elicitation: {} } });
  if (answer !== null) client.setRequestHandler(ElicitRequestSchema, () => answer);
  const { codex: command, env, work: cwd } = world;
  await client.connect(new StdioClientTransport({ command, args: ["mcp-server"], env, cwd, stderr: "ignore" }));
  return client;
}

const expectSaid = ({ content }, wanted) => (content[0]?.text === wanted ? null : `it said ${JSON.stringify(content)}`);

/** A case whose client is closed behind it. */
function using(answer, run) {
  return async (context) => {
    const client = await open(context, answer);
    try {
      return await run(client, context);
    } finally {
      await client.close();
    }
  };
}

function withTools(start, reply) {
  const call = (client, given, options) => client.callTool({ name: start, arguments: given }, undefined, options);
  const decide = (action, yes) => ({
    turns: touch,
    run: using({ action, content: {} }, async (client, { world }) => {
      const said = expectSaid(await call(client, { prompt: "Go", config: { approval_policy: "on-request" } }), "Done.");
      return existsSync(join(world.work, "made")) === yes ? said : `the command ${yes ? "did not run" : "ran"}`;
    }),
  });
  return {
    name: sdk,
    frontEnd: "mcp-server",
    label: `tool ${start}`,
    cases: {
      plain: {
        turns: [scripts.text("Hello.")],
        run: using(null, async (client) => expectSaid(await call(client, { prompt: "Hi" }), "Hello.")),
      },
      tools: {
        turns: [scripts.command("echo seen"), scripts.text("Done.")],
        run: using(null, async (client) => {
          const told = [];
          const said = await call(client, { prompt: "Go" }, { onprogress: ({ message }) => told.push(message) });
          return told.includes("$ echo seen") ? expectSaid(said, "Done.") : `progress was ${JSON.stringify(told)}`;
        }),
      },
      "approval yes": decide("accept", true),
      "approval no": decide("decline", false),
      interrupt: {
        turns: [scripts.command("sleep 60"), scripts.text("Back.")],
        run: using(null, async (client) => {
          const stop = new AbortController();
          let threadId = "";
          const onprogress = ({ message }) => {
            threadId ||= message.replace("thread ", "");
            if (message === "$ sleep 60") stop.abort();
          };
          const ended = await call(client, { prompt: "Go" }, { onprogress, signal: stop.signal }).catch(() => null);
          if (ended !== null) return "the call was not cancelled";
          return expectSaid(await client.callTool({ name: reply, arguments: { threadId, prompt: "Again" } }), "Back.");
        }),
      },
      resume: {
        turns: [scripts.text("One."), scripts.text("Two.")],
        run: async (context) => {
          const ask = (run) => using(null, run)(context);
          const { structuredContent } = await ask((client) => call(client, { prompt: "Hi" }));
          const given = { threadId: structuredContent.threadId, prompt: "Again" };
          return expectSaid(await ask((client) => client.callTool({ name: reply, arguments: given })), "Two.");
        },
      },
    },
  };
}

export const mcpClients = [withTools("unroll", "unroll_reply"), withTools("codex", "codex-reply")];
