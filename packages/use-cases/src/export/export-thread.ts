import type { PriceOf } from "@unroll/accounting";
import { listNamedSecrets } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import type { JournalEntry } from "@unroll/protocol";
import { createThreadDocument, type ThreadDocument } from "@unroll/report";
import { createSecretMask } from "@unroll/text";
import { maskStrings } from "@unroll/tools";

export interface ExportOptions {
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "env">;
  readonly priceOf: PriceOf;
}

/**
 * A thread to be shared: without any credential that unroll knows here, whether or not the config lets models see them. Its
 * `threadId` is empty while it has no turn.
 */
export function exportThread(
  entries: readonly JournalEntry[],
  { config, host, priceOf }: ExportOptions,
): ThreadDocument {
  const { mask } = createSecretMask(listNamedSecrets(config, host.env));
  return maskStrings(createThreadDocument(entries, priceOf), mask);
}
