// Cases of clients that end otherwise with the Codex CLI. Each name is a row of "Differences from the Codex CLI" in the page of the front end.
const differences = [
  // codex-acp lets a model judge by default; the scripted one does not answer as a judge
  { name: "Who approves", ofClient: "@agentclientprotocol/codex-acp", ofCase: "approval yes", fault: /^the command did not run/ },
  { name: "Flags of earlier versions", ofClient: "codex-mcp-server", ofCase: "full auto", fault: /unexpected argument '--full-auto'/ },
  { name: "Flags of earlier versions", ofClient: "ralphy-cli", ofCase: "a task", fault: /unexpected argument '--full-auto'/ },
  { name: "Methods of earlier versions", ofClient: "@zakstam/codex-local-component", ofCase: "rollback", fault: /unknown variant `thread\/rollback`/ },
  // its tools have the same names in a namespace, which the script does not call
  ...["@agentclientprotocol/codex-acp", "ai-sdk-provider-codex-cli", "ai-sdk-provider-codex-app-server"].map((ofClient) => {
    return { name: "Tools of sub-agents", ofClient, ofCase: "a sub-agent", fault: /Found three|exit 0/ };
  }),
];

/** The name of a failure that only the Codex CLI has; null: it has none. */
export function nameFault({ name, what, fault }) {
  return differences.find((each) => each.ofClient === name && each.ofCase === what && each.fault.test(fault))?.name ?? null;
}
