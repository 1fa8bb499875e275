import { HarnessError, type Thread } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import { renderPreview } from "@unroll/report";
import type { Terminal } from "./terminal.ts";

interface Chat {
  readonly terminal: Terminal;
  readonly print: (event: ThreadEvent) => Promise<void>;
}

/** `/compact`, with what stands behind it: nothing, `preview`, `undo`, or what the summary is to dwell on. */
export async function runCompact(thread: Thread, { terminal, print }: Chat, wish: string): Promise<void> {
  switch (wish) {
    case "preview":
      return terminal.say(renderPreview(await thread.previewCompaction()));
    case "undo":
      return undo(thread, terminal);
    default: {
      if (/^(?:prev|und)\w*$/i.test(wish))
        return terminal.say(
          `/compact ${wish} is neither preview nor undo; to dwell on that word: /compact the ${wish}`,
        );
      const stop = new AbortController();
      terminal.listen({
        interrupt: () => stop.abort(),
        line: (more) => void thread.send(more).then(() => terminal.say("(goes into the next request)")),
      });
      const focus = wish === "" ? {} : { focus: wish };
      for await (const event of thread.compact({ ...focus, signal: stop.signal })) await print(event);
    }
  }
}

async function undo(thread: Thread, terminal: Terminal): Promise<void> {
  try {
    await thread.undoCompaction();
    terminal.say("The conversation is what it was before it was last shortened, with what was said since behind it.");
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    terminal.say(error.message);
  }
}
