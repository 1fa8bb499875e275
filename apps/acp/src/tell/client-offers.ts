import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable";

/** What the client says it can do, as far as it is of use here. */
export interface ClientOffers {
  /** Shows output that it is sent as a terminal: a convention of Zed's, beside the protocol. */
  readonly terminalOutput: boolean;
  readonly notices: boolean;
  /** Puts forms before a person. */
  readonly forms: boolean;
  /** Gives the texts of files as it has them, saved or not. */
  readonly fileTexts: boolean;
  /** Runs our program in a terminal, for a login. */
  readonly terminalLogin: boolean;
}

export function readClientOffers({ session, elicitation, auth, fs, _meta: more }: ClientCapabilities): ClientOffers {
  return {
    terminalOutput: more?.["terminal_output"] === true,
    notices: Boolean(session?.notices),
    forms: Boolean(elicitation?.form),
    fileTexts: fs?.readTextFile === true,
    terminalLogin: auth?.terminal === true,
  };
}
