import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable";

/** The capabilities of the client that we use. */
export interface ClientOffers {
  /** Shows command output as a terminal: a convention of Zed, beside the protocol. */
  readonly terminalOutput: boolean;
  readonly notices: boolean;
  /** Shows forms. */
  readonly forms: boolean;
  /** Gives the text of files, saved or not. */
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
