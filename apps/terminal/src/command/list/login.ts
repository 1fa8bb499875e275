import { resolveCredential } from "@unroll/config";
import { loadProgramConfig } from "@unroll/program";
import { withProvider } from "@unroll/use-cases/models";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { CommandContext, LoginWay, TerminalCommand } from "../terminal-command.ts";

/** The ways to log in. */
export const loginWays: readonly { readonly value: LoginWay; readonly description: string }[] = [
  { value: "browser", description: "opens a page in a browser on this machine" },
  { value: "code", description: "shows a code to enter on any device; for ssh and containers" },
  { value: "key", description: "an API key, stored like a login" },
];

export const loginCommand: TerminalCommand = {
  name: "login",
  description: "log in; also leaves the demo",
  argument: listNames(loginWays),
  choices: () => loginWays,
  timing: "between_turns",
  isHarmless: true,
  async run(context, argument) {
    const { thread, flags, host, logIn, tell } = context;
    const isDemo = thread.config.model === "unroll-demo";
    const loaded = await loadProgramConfig({ ...flags, cd: thread.config.cwd }, host);
    const credential = resolveCredential(loaded.provider, host.env);
    if (credential.type === "missing" ? !credential.takesLogin : !isDemo)
      return tell(explainOther(loaded.provider.name, credential.type));
    const options = loginWays;
    let way = await chooseNamed(context, argument, { title: "How do you want to log in?", noun: "way", options });
    while (way !== null && !(await logIn(way.value)))
      way = await chooseNamed(context, "", { title: tryAnother, noun: "way", options });
    if (way === null) return;
    if (!isDemo)
      return tell("The new login is used from the next start on, or as soon as the server rejects the old one.");
    await leaveDemo(context, withProvider(loaded, thread.config));
  },
};

const tryAnother =
  "Not logged in. Try again, or another way? (Without a login: unroll --oss uses a model on this machine.)";

function explainOther(provider: string, type: ReturnType<typeof resolveCredential>["type"]): string {
  return type === "missing" || type === "none"
    ? `${provider} has no login. docs/providers.md explains how to set its key.`
    : `${provider} has a key from the config or the environment, which takes precedence over a login.`;
}

async function leaveDemo({ threads, tell }: CommandContext, config: CommandContext["thread"]["config"]): Promise<void> {
  await threads.chooseModel(config);
  tell(`Model: ${config.model} of ${config.provider.name}, from the next request on.`);
}
