// The two providers of the AI SDK: the same cases, by the names that each gives to the same things.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

const touch = [scripts.command("touch made"), scripts.text("Done.")];
const touchOutside = [scripts.outside("touch made"), scripts.text("Done.")];
const long = [scripts.command("sleep 30"), scripts.text("Too late.")];

const flavours = {
  "ai-sdk-provider-codex-cli": {
    settings: ({ codex, work, env }) => ({ codexPath: codex, cwd: work, env, connectionTimeoutMs: 60_000 }),
    approvals: (policy) => ({ approvalPolicy: policy }),
    unconfined: { sandboxPolicy: "danger-full-access" },
    decide: (yes) => ({
      serverRequests: {
        onCommandExecutionApproval: async () => ({ decision: yes ? "accept" : "decline" }),
      },
    }),
  },
  "ai-sdk-provider-codex-app-server": {
    settings: ({ codex, work, env }) => ({ codexPath: codex, cwd: work, env, logger: false }),
    approvals: (policy) => ({ approvalMode: policy }),
    unconfined: { sandboxMode: "danger-full-access" },
    /** It has no way to answer. */
    decide: null,
  },
};

function toProvider(name) {
  const flavour = flavours[name];
  async function use({ load, world, settings = {} }, run) {
    const { createCodexAppServer } = await load(name);
    const provider = createCodexAppServer({ defaultSettings: { ...flavour.settings(world), ...settings } });
    const model = provider("gpt-5", settings);
    try {
      return await run(model, await load("ai"));
    } finally {
      model.dispose?.();
      await provider.close?.();
    }
  }
  const generate = (context, prompt) => use(context, (model, { generateText }) => generateText({ model, prompt }));
  return {
    name,
    frontEnd: "app-server",
    cases: {
      plain: {
        turns: [scripts.text("Hello.")],
        run: async (context) => expectText((await generate(context, "Hi")).text, "Hello."),
      },
      streaming: {
        turns: [scripts.text("Hello there.")],
        run: (context) =>
          use(context, async (model, { streamText }) => {
            let text = "";
            for await (const part of streamText({ model, prompt: "Hi" }).textStream) text += part;
            return expectText(text, "Hello there.");
          }),
      },
      tools: {
        turns: touch,
        run: async (context) => {
          const { text } = await generate({ ...context, settings: { ...flavour.approvals("never"), ...flavour.unconfined } }, "Go");
          return existsSync(join(context.world.work, "made")) ? expectText(text, "Done.") : "the command did not run";
        },
      },
      ...(flavour.decide === null ? {} : { "approval yes": toDecision(true), "approval no": toDecision(false) }),
      "a sub-agent": {
        turns: [scripts.spawn("Look around."), scripts.text("Found three."), scripts.text("All done.")],
        run: async (context) => expectText((await generate(context, "Go")).text, "All done."),
      },
      interrupt: toInterrupt(flavour, use),
      resume: toResume(generate),
    },
  };

  function toDecision(yes) {
    return {
      turns: touchOutside,
      run: async (context) => {
        const settings = { ...flavour.approvals("on-request"), ...flavour.decide(yes) };
        const { text } = await generate({ ...context, settings }, "Go");
        const ran = existsSync(join(context.world.work, "made"));
        return ran === yes ? expectText(text, "Done.") : `the command ${ran ? "ran" : "did not run"}`;
      },
    };
  }
}

function toInterrupt(flavour, use) {
  return {
    turns: long,
    run: (context) => {
      const sessions = [];
      const settings = { ...flavour.approvals("never"), ...flavour.unconfined, onSessionCreated: (session) => void sessions.push(session) };
      const { model } = context.world;
      return use({ ...context, settings }, async (agent, { streamText }) => {
        const isRunning = () => model.requests.length > 0 && sessions.at(-1)?.isActive();
        const timer = setInterval(() => isRunning() && void sessions.at(-1).interrupt().catch(() => {}), 1500);
        try {
          for await (const _ of streamText({ model: agent, prompt: "Go", onError: () => {} }).fullStream);
        } catch {
          // an interrupted turn may be an error of the client's
        } finally {
          clearInterval(timer);
        }
        // the command's end is another request
        return model.requests.length === 1 ? null : "the turn was not interrupted";
      });
    },
  };
}

function toResume(generate) {
  return {
    turns: [scripts.text("One."), scripts.text("Two.")],
    run: async (context) => {
      const sessions = [];
      const onSessionCreated = (session) => void sessions.push(session);
      await generate({ ...context, settings: { threadMode: "persistent", onSessionCreated } }, "Hi");
      const [{ threadId }] = sessions;
      const second = await generate({ ...context, settings: { resume: threadId, threadMode: "persistent" } }, "Again");
      const fault = expectText(second.text, "Two.");
      const sent = JSON.stringify(JSON.parse(context.world.model.requests.at(-1).raw.toString()).input);
      return fault ?? (sent.includes("One.") ? null : "the second request has no history");
    },
  };
}

function expectText(text, wanted) {
  return text.trim() === wanted ? null : `${JSON.stringify(wanted)} was expected, ${JSON.stringify(text)} came`;
}

export const aiSdkClients = Object.keys(flavours).map(toProvider);
