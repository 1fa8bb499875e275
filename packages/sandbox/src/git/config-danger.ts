import type { GitConfigEntry } from "@unroll/files";
import { plainName } from "./format-config.ts";

/**
 * Variables that may hold any text: git never treats them as a command or as the path of a file
 * that it obeys.
 */
const freeText: readonly RegExp[] = [
  /^(user|author|committer)\.(name|email)$/,
  /^core\.(autocrlf|safecrlf|eol|whitespace|abbrev|sharedrepository|checkstat|commentchar)$/,
  /^extensions\.partialclone$/,
  /^remote\..*\.(fetch|push|tagopt|partialclonefilter)$/,
  /^branch\..*\.(merge|rebase|description)$/,
  /^submodule\..*\.(branch|ignore|path)$/,
  /^(submodule\.(active|alternatelocation|alternateerrorstrategy)|init\.defaultbranch|push\.default|pull\.(rebase|ff))$/,
  /^(merge\.conflictstyle|diff\.algorithm|gc\.[a-z]*expire[a-z]*|i18n\.[a-z]+encoding)$/,
];
const address = /^(remote\..*\.(url|pushurl)|submodule\..*\.url|branch\..*\.(remote|pushremote))$/;
/** By name; newer versions of git accept an address there, too. */
const format = /^extensions\.(objectformat|refstorage|compatobjectformat)$/;
const submoduleUpdate = /^submodule\..*\.update$/;
const literal = /^(true|false|yes|no|on|off|\d+[kmg]?)?$/i;
/** Names of variables whose value is a path, even if it looks like a number. */
const place = /(path|worktree|file|dir|template)$/;

/**
 * Whether a later git may run something, or obey another file, because of this variable. Everything
 * is dangerous unless it is known to be harmless or is a plain switch or number.
 */
export function isDangerous({ key, name, value }: GitConfigEntry): boolean {
  if (!plainName.test(name)) return true;
  if (value === null || freeText.some((pattern) => pattern.test(key))) return false;
  // `helper::address` runs a program named after the helper.
  if (address.test(key)) return value.includes("::");
  if (format.test(key)) return !/^[a-z\d]+$/i.test(value);
  if (submoduleUpdate.test(key)) return !["checkout", "rebase", "merge", "none"].includes(value);
  return !literal.test(value) || place.test(name);
}
