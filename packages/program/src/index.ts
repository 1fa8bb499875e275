export {
  loadProgramConfig,
  needsDemoModel,
  readSeconds,
  toConfigSources,
  toOverride,
} from "./config/load-program-config.ts";
export { listTrustedNames, trustCertificates } from "./config/trust-certificates.ts";
export { openProgramModel } from "./config/open-program-model.ts";
export { exitCodes, toTurnExitCode } from "./failure/exit-codes.ts";
export { ProgramError } from "./failure/program-error.ts";
export { reportFailure, toProgramFailure } from "./failure/program-failure.ts";
export { findPipeFault } from "./file/find-pipe-fault.ts";
export { openFileFinder } from "./file/open-file-finder.ts";
export { readNamedFile } from "./file/read-named-file.ts";
export { addImageFlag, findNamedImages } from "./flag/image-flag.ts";
export {
  addBudgetFlags,
  addColorFlag,
  addConfigFlag,
  addConfigFlags,
  addSettingFlags,
  addStoreFlag,
  addThreadFlags,
  addHostFlag,
  collectValues,
  readCount,
  readPositive,
  takeText,
} from "./flag/thread-flags.ts";
export { createHost } from "./host/create-host.ts";
export { toUserAgent } from "./host/user-agent.ts";
export { findHomeFault } from "./io/find-home-fault.ts";
export { flushOutput } from "./io/flush-output.ts";
export { foldOutput } from "./io/fold-output.ts";
export { createLineWriter } from "./io/line-writer.ts";
export { createNodeProcessIo } from "./io/node-process-io.ts";
export { openLineTerminal } from "./line-terminal/line-terminal.ts";
export { openPage } from "./io/open-page.ts";
export { toProgramPlaces } from "./io/to-program-places.ts";
export { runEditor } from "./io/run-editor.ts";
export { loadServerPackage } from "./server/load-server-package.ts";
export { readServerUrl } from "./server/read-server-url.ts";
export { findThreadId } from "./thread/named-thread.ts";
export { openProgramStore } from "./thread/open-program-store.ts";
export { openProgramThread } from "./thread/open-program-thread.ts";
export { watchInterruption } from "./watch-interruption.ts";

export type { ProgramFlags } from "./config/load-program-config.ts";
export type { ModelDialog } from "./config/model-dialog.ts";
export type { ProgramModel } from "./config/open-program-model.ts";
export type { FileFinder, FoundFile, PathSearch } from "./file/open-file-finder.ts";
export type { ThreadFlags } from "./flag/thread-flags.ts";
export type { LineWriter } from "./io/line-writer.ts";
export type { InputStream, ProcessIo, ProcessTerminal, StopSignal } from "./io/process-io.ts";
export type { LineTerminal } from "./line-terminal/line-terminal.ts";
export type { Interruption } from "./watch-interruption.ts";
