import { createAgentSession, DefaultResourceLoader, defineTool, getAgentDir } from "@earendil-works/pi-coding-agent";
import { isToolCallEventType, SessionManager } from "@earendil-works/pi-coding-agent";
import { Type, type Static } from "typebox";
const parameters = Type.Object({ target: Type.Union([Type.Literal("staging"), Type.Literal("production")]) });
const deploy = defineTool({
  name: "deploy", label: "Deploy", description: "Deploys.", parameters,
  execute: async (_id, { target }) => ({ content: [{ type: "text", text: `deployed to ${target}` }], details: {} }),
});
const resourceLoader = new DefaultResourceLoader({
  cwd: process.cwd(), agentDir: getAgentDir(), systemPromptOverride: () => "You deploy.",
  extensionFactories: [
    (pi) => {
      pi.on("tool_call", async (event) => {
        if (!isToolCallEventType<"deploy", Static<typeof parameters>>("deploy", event)) return undefined;
        return event.input.target === "staging" ? undefined : { block: true, reason: "Only staging." };
      });
    },
  ],
});
await resourceLoader.reload();
const { session } = await createAgentSession({
  resourceLoader, noTools: "builtin", customTools: [deploy], sessionManager: SessionManager.inMemory(),
});
session.subscribe((event) => {
  if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta")
    process.stdout.write(event.assistantMessageEvent.delta);
});
await session.prompt("Deploy to staging");
console.log(session.getSessionStats().tokens.output);
session.dispose();
