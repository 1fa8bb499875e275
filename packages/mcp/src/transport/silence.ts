import { shortenText } from "@unroll/text";

/** A server's output that was not a response, for the message when it does not respond. */
export interface Silence {
  /** Adds a line that is not a message. */
  addGarbage(line: string): void;
  /** Adds a response to a request that was never made. */
  addStray(): void;
  /** Adds a message of more than `maxBytes` whose request is unknown. */
  addOversized(maxBytes: number): void;
  /** Begins with a blank and has no full stop; empty if there is nothing to report. */
  describe(): string;
}

const maxQuoteLength = 200;

export function createSilence(): Silence {
  let garbage = 0;
  let firstLine = "";
  let strays = 0;
  let oversized = "";
  return {
    addGarbage(line) {
      if (garbage === 0) firstLine = shortenText(line.trim(), maxQuoteLength);
      garbage += 1;
    },
    addStray() {
      strays += 1;
    },
    addOversized(maxBytes) {
      oversized = `a message that is too large, over the limit of ${maxBytes} bytes`;
    },
    describe() {
      const parts = [
        ...(garbage > 0
          ? // structure-ignore idioms: the model gets it as the output of a call
            [`${garbage} lines on stdout that are no JSON-RPC, the first: ${JSON.stringify(firstLine)}`]
          : []),
        ...(strays > 0 ? [`${strays} answers to requests that were never made`] : []),
        ...(oversized === "" ? [] : [oversized]),
      ];
      return parts.length > 0 ? ` (what came instead: ${parts.join("; ")})` : "";
    },
  };
}
