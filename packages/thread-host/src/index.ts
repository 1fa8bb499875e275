export { listApprovalChoices } from "./question/approval-choices.ts";
export { readChoices, readForm, toChoiceForm, toFormSchema, toServerForm } from "./question/question-form.ts";
export { ThreadHostError } from "./thread-host-error.ts";
export { summarizeStored } from "./history/summarize-stored.ts";
export { countTurns, readStoredTurns } from "./history/stored-turns.ts";
export { openThreadHost } from "./open-thread-host.ts";
export { runServer } from "./run-server.ts";
export { listConfigValues } from "./settings/to-thread-flags.ts";
export { readCursor, readThreadPage } from "./read-thread-page.ts";

export type { ApprovalChoice } from "./question/approval-choices.ts";
export type { ThreadHostErrorCode } from "./thread-host-error.ts";
export type { StoredStep, StoredTurn } from "./history/stored-turns.ts";
export type { ThreadHost, ThreadHostOptions } from "./open-thread-host.ts";
export type { RequestedSettings, SettledSettings } from "./settings/requested-settings.ts";
export type { StartedTurn, HostedThread, HostedOpening } from "./thread/hosted-thread.ts";
export type { ThreadOrigin, ThreadRequest } from "./thread/open-hosted-thread.ts";
export type { ThreadClient } from "./thread/thread-client.ts";
