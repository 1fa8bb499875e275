export { toFormSchema } from "./form/to-form-schema.ts";
export { FrontEndError } from "./front-end-error.ts";
export { findPreview, readStoredTurns } from "./history/stored-turns.ts";
export { listOfferedModels } from "./models/list-offered-models.ts";
export { openFrontEnd } from "./open-front-end.ts";
export { toConfigFlags } from "./settings/to-thread-flags.ts";

export type { FrontEndErrorCode } from "./front-end-error.ts";
export type { StoredStep, StoredTurn } from "./history/stored-turns.ts";
export type { FrontEnd, FrontEndOptions } from "./open-front-end.ts";
export type { AskedSettings } from "./settings/asked-settings.ts";
export type { FollowedOpening, ThreadRequest } from "./thread/open-followed-thread.ts";
export type { RolledBackThread } from "./thread/roll-back-thread.ts";
export type { ServedOrigin } from "./thread/served-origin.ts";
export type { BegunTurn, ServedThread, ServedTurnOptions } from "./thread/served-thread.ts";
export type { ThreadFollower } from "./thread/thread-follower.ts";
