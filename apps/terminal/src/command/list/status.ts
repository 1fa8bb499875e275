import { renderFacts } from "@unroll/cells";
import type { ModelFamily, WindowOrigin } from "@unroll/protocol";
import { groupDigits } from "@unroll/text";
import { describeAgent, describeAgents, listAgents, renderBudget } from "@unroll/view";
import { shortenHome } from "../../text/shorten-home.ts";
import { toOneLine } from "../../text/to-one-line.ts";
import type { TerminalCommand } from "../terminal-command.ts";

const origins: Readonly<Record<WindowOrigin, string>> = {
  guess: "a guess; set model_context_window if you know it",
  catalogue: "from the built-in catalogue",
  list: "from the provider's latest list",
  config: "set by you",
  server: "reported by the server",
};

function describeWindow({ contextWindow, windowOrigin }: ModelFamily): string {
  return `${groupDigits(contextWindow)} tokens (${origins[windowOrigin]})`;
}

export const statusCommand: TerminalCommand = {
  name: "status",
  description: "show model, folder, sandbox, login, tokens and cost",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, host, view, lines }) {
    const { config } = thread;
    const { describeCredential } = await import("../../text/describe-credential.ts");
    const { describeAccount, describeMoved } = await import("@unroll/report");
    const { reportCache } = await import("@unroll/use-cases/cache");
    const { describeModelSettings } = await import("@unroll/config");
    const sent = describeModelSettings(config);
    const account = reportCache(await thread.entries(), config);
    const rows: readonly (readonly [string, string])[] = [
      ["model", `${config.model} of ${config.provider.name}`],
      ["effort", sent.effort],
      ["verbosity", sent.verbosity],
      ["window", describeWindow(config.modelFamily)],
      ["login", await describeCredential(config, host)],
      ["folder", shortenHome(config.cwd, host.homeDirectory)],
      ["sandbox", `${config.sandboxSettings.mode}, approvals ${config.approvalPolicy}`],
      ["thread", `${thread.id}${thread.isEphemeral ? " (not saved)" : ""}`],
      ["config", shortenHome(config.codexHome, host.homeDirectory)],
    ];
    const facts = rows.map(([name, value]) => ({ name, value }));
    const used = account.rows.length === 0 ? "no request yet" : describeAccount(account).join("\n");
    const budget =
      view.budget.length === 0 ? [] : [{ name: "budget", value: renderBudget(view.budget).replace("budget: ", "") }];
    const reached = view.hosts.map((each) => `${each.host}: ${each.isDenied ? "denied" : describeMoved(each)}`);
    const hosts = reached.length === 0 ? [] : [{ name: "hosts", value: reached.join("\n") }];
    const agents = thread.agents?.list() ?? [];
    const listed = listAgents(agents).map(
      ({ name, agent }) => `${toOneLine(name)}: ${toOneLine(describeAgent(agent))}`,
    );
    const tree = agents.length === 0 ? [] : [{ name: "agents", value: [...listed, describeAgents(agents)].join("\n") }];
    lines(() => renderFacts([...facts, ...hosts, { name: "used", value: used }, ...tree, ...budget]));
  },
};
