import { resolveCredential } from "@unroll/config";
import { loadProgramConfig } from "@unroll/program";
import { withProvider } from "@unroll/use-cases/models";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { CommandContext, LoginWay, TerminalCommand } from "../terminal-command.ts";

/** By a page in the browser of this machine, by a code that is entered on any, or by a key. */
export const loginWays: readonly { readonly value: LoginWay; readonly description: string }[] = [
  { value: "browser", description: "a page opens in a browser of this machine" },
  { value: "code", description: "that you enter on any device: over ssh, in a container" },
  { value: "key", description: "an API key, kept as a login is" },
];

export const loginCommand: TerminalCommand = {
  name: "login",
  description: "log in, and have the provider answer from here on",
  argument: listNames(loginWays),
  timing: "between_turns",
  async run(context, argument) {
    const { conversation, flags, host, logIn, tell } = context;
    const isDemo = conversation.config.model === "unroll-demo";
    const loaded = await loadProgramConfig({ ...flags, cd: conversation.config.cwd }, host);
    const credential = resolveCredential(loaded.provider, host.env);
    if (credential.type === "missing" ? !credential.takesLogin : !isDemo)
      return tell(explainOther(loaded.provider.name, credential.type));
    const way = await chooseNamed(context, argument, { title: "How do you log in?", noun: "way", options: loginWays });
    if (way === null || !(await logIn(way.value))) return;
    if (!isDemo)
      return tell("It is used as soon as the server refuses the login of before, and from the next start on.");
    await leaveDemo(context, withProvider(loaded, conversation.config));
  },
};

function explainOther(provider: string, type: ReturnType<typeof resolveCredential>["type"]): string {
  return type === "missing" || type === "none"
    ? `${provider} takes no login; docs/providers.md says how it is given a key.`
    : `${provider} is given a key by the config or the environment, which goes before any login.`;
}

async function leaveDemo(
  { conversation, tell }: CommandContext,
  config: CommandContext["conversation"]["config"],
): Promise<void> {
  await conversation.chooseModel(config);
  tell(`Model: ${config.model} of ${config.provider.name}, from the next request on.`);
}
