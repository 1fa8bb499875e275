import { resolveCredential } from "@unroll/config";
import { loadProgramConfig } from "@unroll/program";
import { withProvider } from "@unroll/use-cases/models";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { CommandContext, LoginWay, TerminalCommand } from "../terminal-command.ts";

/** By a page in the browser of this machine, by a code that is entered on any, or by a key. */
export const loginWays: readonly { readonly value: LoginWay; readonly description: string }[] = [
  { value: "browser", description: "a page opens in a browser of this machine" },
  { value: "code", description: "that you enter on any device: over ssh, in a container" },
  { value: "key", description: "an API key, stored like a login" },
];

export const loginCommand: TerminalCommand = {
  name: "login",
  description: "log in; from the demo, this also switches to the provider",
  argument: listNames(loginWays),
  timing: "between_turns",
  async run(context, argument) {
    const { thread, flags, host, logIn, tell } = context;
    const isDemo = thread.config.model === "unroll-demo";
    const loaded = await loadProgramConfig({ ...flags, cd: thread.config.cwd }, host);
    const credential = resolveCredential(loaded.provider, host.env);
    if (credential.type === "missing" ? !credential.takesLogin : !isDemo)
      return tell(explainOther(loaded.provider.name, credential.type));
    const way = await chooseNamed(context, argument, { title: "How do you log in?", noun: "way", options: loginWays });
    if (way === null || !(await logIn(way.value))) return;
    if (!isDemo) return tell("It is used once the server rejects the login before it, and from the next start on.");
    await leaveDemo(context, withProvider(loaded, thread.config));
  },
};

function explainOther(provider: string, type: ReturnType<typeof resolveCredential>["type"]): string {
  return type === "missing" || type === "none"
    ? `${provider} takes no login. docs/providers.md explains how to give it a key.`
    : `${provider} has a key from the config or the environment, which takes precedence over a login.`;
}

async function leaveDemo({ threads, tell }: CommandContext, config: CommandContext["thread"]["config"]): Promise<void> {
  await threads.chooseModel(config);
  tell(`Model: ${config.model} of ${config.provider.name}, from the next request on.`);
}
