export { findWorkTree } from "./git/find-work-tree.ts";
export { followGitPath, untilNul } from "./git/follow-git-path.ts";
export { isGitFolder, readCommonFolder, readGitEntry } from "./git/git-entry.ts";
export { listWorkTrees } from "./git/list-work-trees.ts";
export { parseGitConfig } from "./git/parse-git-config.ts";
export { readGitFacts } from "./git/read-git-facts.ts";
export { FileLockError, makeLockFile, tryToLock } from "./file-lock.ts";
export { removeOldSiblings } from "./remove-old-siblings.ts";
export { judgeFile } from "./gate/judge-file.ts";
export { openRegularFile } from "./gate/open-file.ts";
export { appendPlainFile, openPlainFile, readPlainFile } from "./look/open-plain-file.ts";
export { isInside } from "./look/is-inside.ts";
export { fromNative, toNative } from "./look/native-path.ts";
export { isFile, kindOf, statIfAny, readTextIfAny, resolveIfAny } from "./look/path-facts.ts";

export type { GitConfigEntry } from "./git/parse-git-config.ts";
export type { GitFacts } from "./git/read-git-facts.ts";
export type { FileGate } from "./gate/judge-file.ts";
export type { OpenedFile, RegularFile } from "./gate/open-file.ts";
