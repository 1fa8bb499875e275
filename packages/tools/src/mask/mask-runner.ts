import { flatMap } from "@unroll/flow";
import type { CommandOutcome, CommandOutput } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { createOutputBuffer } from "../output/output-buffer.ts";
import type { BackgroundCommandRunner, CommandRunner } from "../port/command-runner.ts";

/**
 * A runner whose commands show no secret: their output is masked before it is cut, saved or shown.
 * stdout and stderr count as one text in order of arrival. A command's input is not changed.
 */
export function maskRunner(
  runner: CommandRunner & BackgroundCommandRunner,
  secrets: SecretMask,
): CommandRunner & BackgroundCommandRunner {
  if (secrets.isEmpty) return runner;
  return {
    run: (spec, signal) => maskOutput(runner.run(spec, signal), secrets, spec.maxOutputBytes),
    async startBackgroundCommand(spec, signal) {
      const start = await runner.startBackgroundCommand(spec, signal);
      if (start.type !== "opened") return start;
      const { session } = start;
      return { ...start, session: { ...session, output: maskOutput(session.output, secrets, spec.maxOutputBytes) } };
    },
  };
}

async function* maskOutput(
  output: AsyncGenerator<CommandOutput, CommandOutcome>,
  secrets: SecretMask,
  maxBytes: number,
): AsyncGenerator<CommandOutput, CommandOutcome> {
  const masked = secrets.stream();
  const kept = createOutputBuffer(maxBytes);
  let stream: CommandOutput["stream"] = "stdout";

  function toPieces(text: string): readonly CommandOutput[] {
    kept.write(text);
    return text === "" ? [] : [{ type: "output", stream, text }];
  }

  const outcome = yield* flatMap(output, (piece) => {
    ({ stream } = piece);
    return toPieces(masked.write(piece.text));
  });
  yield* toPieces(masked.end());
  return masked.hasMasked && "output" in outcome ? { ...outcome, output: kept.read() } : outcome;
}
