// promptfoo's provider openai:codex-app-server. Its install is 2 GB and takes minutes, so it is not installed unless --all asks for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./world.mjs";

/** Returns its answer to one prompt. */
async function call({ load, world }, config, options) {
  // it tells nobody, and says no more than what failed
  Object.assign(process.env, { PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_CONFIG_DIR: world.home, LOG_LEVEL: "error" });
  const { loadApiProvider } = await load("promptfoo");
  const own = { codex_path_override: world.codex, working_dir: world.work, skip_git_repo_check: true, model: "gpt-5", cli_env: world.env };
  const provider = await loadApiProvider("openai:codex-app-server", { options: { config: { ...own, ...config } } });
  const said = await provider.callApi("Go", { vars: {}, prompt: { raw: "Go", label: "Go" } }, options);
  await provider.shutdown?.();
  await provider.cleanup?.();
  return said;
}

const expectOutput = ({ output, error }, wanted) => (output === wanted ? null : `${JSON.stringify(wanted)} was expected, ${error ?? output} came`);

const decide = (decision, yes) => ({
  turns: [scripts.outside("touch made"), scripts.text("Done.")],
  run: async (context) => {
    const config = { server_request_policy: { command_execution: decision }, approval_policy: "on-request", sandbox_mode: "workspace-write" };
    const said = await call(context, config);
    const ran = existsSync(join(context.world.work, "made"));
    return ran === yes ? expectOutput(said, "Done.") : `the command ${ran ? "ran" : "did not run"}`;
  },
});

export const promptfooClient = {
  name: "promptfoo",
  frontEnd: "app-server",
  cases: {
    plain: { turns: [scripts.text("Hello.")], run: async (context) => expectOutput(await call(context, {}), "Hello.") },
    streaming: {
      turns: [scripts.text("Hello there.")],
      run: async (context) => {
        const said = await call(context, { include_raw_events: true });
        const deltas = JSON.parse(said.raw ?? "{}").notifications?.filter(({ method }) => method === "item/agentMessage/delta") ?? [];
        const text = deltas.map(({ params }) => params.delta).join("");
        return text === "Hello there." ? expectOutput(said, text) : `the pieces came to ${JSON.stringify(text)}`;
      },
    },
    tools: {
      turns: [scripts.command("touch made"), scripts.text("Done.")],
      run: async (context) => {
        const said = await call(context, { approval_policy: "never", sandbox_mode: "danger-full-access" });
        const { commandExecution = 0 } = said.metadata?.codexAppServer?.itemCounts ?? {};
        if (!existsSync(join(context.world.work, "made"))) return "the command did not run";
        return commandExecution === 1 ? expectOutput(said, "Done.") : `${commandExecution} commands were told`;
      },
    },
    "approval yes": decide("accept", true),
    "approval no": decide("decline", false),
    interrupt: {
      turns: [scripts.command("sleep 60"), scripts.text("Too late.")],
      run: async (context) => {
        const [started, stop] = [Date.now(), new AbortController()];
        const config = { approval_policy: "never", sandbox_mode: "danger-full-access", turn_timeout_ms: 90_000 };
        const said = call(context, config, { abortSignal: stop.signal });
        while (context.world.model.requests.length === 0 && Date.now() - started < 30_000) await new Promise((done) => setTimeout(done, 200));
        stop.abort();
        const { error } = await said;
        if (context.world.model.requests.length > 1) return "the turn was not interrupted";
        return error?.includes("aborted") ? null : `an abort was expected, ${error} came`;
      },
    },
    resume: {
      turns: [scripts.text("One."), scripts.text("Two.")],
      run: async (context) => {
        const { sessionId } = await call(context, { ephemeral: false, thread_cleanup: "none" });
        const second = await call(context, { thread_id: sessionId });
        return expectOutput(second, "Two.");
      },
    },
  },
};
