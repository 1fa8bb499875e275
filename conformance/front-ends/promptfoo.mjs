// promptfoo's provider openai:codex-app-server. Its install is 640 MB and takes minutes: it runs where it is installed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

async function call({ load, world }, config, prompts) {
  const { loadApiProvider } = await load("promptfoo");
  const own = { codex_path_override: world.codex, working_dir: world.work, skip_git_repo_check: true, model: "gpt-5", cli_env: world.env };
  const provider = await loadApiProvider("openai:codex-app-server", { options: { config: { ...own, ...config } } });
  const said = [];
  for (const prompt of prompts) said.push(await provider.callApi(prompt, { vars: {}, prompt: { raw: prompt, label: prompt } }));
  await provider.shutdown?.();
  await provider.cleanup?.();
  return said;
}

const expectOutput = ({ output, error }, wanted) => (output === wanted ? null : `${JSON.stringify(wanted)} was expected, ${error ?? output} came`);

const decide = (decision, yes) => ({
  turns: [scripts.outside("touch made"), scripts.text("Done.")],
  run: async (context) => {
    const config = { server_request_policy: { command_execution: decision }, approval_policy: "on-request", sandbox_mode: "workspace-write" };
    const [said] = await call(context, config, ["Go"]);
    const ran = existsSync(join(context.world.work, "made"));
    return ran === yes ? expectOutput(said, "Done.") : `the command ${ran ? "ran" : "did not run"}`;
  },
});

export const promptfooClient = {
  name: "promptfoo",
  cases: {
    plain: { turns: [scripts.text("Hello.")], run: async (context) => expectOutput((await call(context, {}, ["Hi"]))[0], "Hello.") },
    "approval yes": decide("accept", true),
    "approval no": decide("decline", false),
    resume: {
      turns: [scripts.text("One."), scripts.text("Two.")],
      run: async (context) => {
        const [{ sessionId }] = await call(context, { ephemeral: false, thread_cleanup: "none" }, ["Hi"]);
        const [second] = await call(context, { thread_id: sessionId }, ["Again"]);
        return expectOutput(second, "Two.");
      },
    },
  },
};
