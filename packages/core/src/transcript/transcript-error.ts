/** The caller broke "one output a call". */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
  readonly code: TranscriptErrorCode;
  readonly callId: string;

  constructor(code: TranscriptErrorCode, callId: string) {
    super(`${messages[code]} (call ${callId})`);
    this.code = code;
    this.callId = callId;
  }
}

export type TranscriptErrorCode = "orphan_output" | "duplicate_call" | "open_call";

const messages: Readonly<Record<TranscriptErrorCode, string>> = {
  orphan_output: "An output has no open call in the transcript.",
  duplicate_call: "A call has an id that is in the transcript already.",
  open_call: "An epoch cannot be opened while a call has no output, nor begin with such a call.",
};
