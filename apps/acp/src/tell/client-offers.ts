import type { ClientCapabilities } from "@agentclientprotocol/sdk";

/** What the client says it can do, as far as it is of use here. */
export interface ClientOffers {
  /** Shows output that it is sent as a terminal: a convention of Zed's, beside the protocol. */
  readonly terminalOutput: boolean;
  /** Shows notices, and compactions. */
  readonly notices: boolean;
  readonly compaction: boolean;
  /** Puts forms before a person. */
  readonly forms: boolean;
  /** Runs our program in a terminal, for a login. */
  readonly terminalLogin: boolean;
}

export function readClientOffers(capabilities: ClientCapabilities): ClientOffers {
  const { session, elicitation, auth, _meta: more } = capabilities;
  return {
    terminalOutput: more?.["terminal_output"] === true,
    notices: isThere(session?.notices),
    compaction: isThere(session?.compaction),
    forms: isThere(elicitation?.form),
    terminalLogin: auth?.terminal === true,
  };
}

function isThere(capability: unknown): boolean {
  return capability !== null && capability !== undefined;
}
