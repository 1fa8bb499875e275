import { checkAbsence } from "./check-absence.ts";
import { checkBudgets } from "./check-budgets.ts";
import { checkCallbacks } from "./check-callbacks.ts";
import { checkCircles } from "./check-circles.ts";
import { checkClock } from "./check-clock.ts";
import { checkConstants } from "./check-constants.ts";
import { checkDocstrings } from "./check-docstrings.ts";
import { checkFolders } from "./check-folders.ts";
import { checkGlossary } from "./check-glossary.ts";
import { checkLayers } from "./check-layers.ts";
import { checkNameOwners } from "./check-name-owners.ts";
import { checkOwnSentences } from "./check-own-sentences.ts";
import { checkPublicNames } from "./check-public-names.ts";
import { checkReadmes } from "./check-readmes.ts";
import { checkReferences } from "./check-references.ts";
import { checkSources } from "./check-sources.ts";
import { checkSpawns } from "./check-spawns.ts";
import { checkTracked } from "./check-tracked.ts";
import { checkWords } from "./check-words.ts";
import type { Repository } from "./repository.ts";
import { checkIdioms } from "./words/check-idioms.ts";

/** The problems of each check, one string each that begins with its file; empty if all is well. */
export const checks: Readonly<Record<string, (repository: Repository) => readonly string[]>> = {
  layers: checkLayers,
  references: checkReferences,
  circles: checkCircles,
  folders: checkFolders,
  budgets: checkBudgets,
  "public-names": checkPublicNames,
  "name-owners": checkNameOwners,
  constants: checkConstants,
  absence: checkAbsence,
  clock: checkClock,
  words: checkWords,
  glossary: checkGlossary,
  idioms: (repository) => checkIdioms(repository),
  "own-sentences": checkOwnSentences,
  sources: checkSources,
  readmes: checkReadmes,
  docstrings: checkDocstrings,
  spawns: checkSpawns,
  callbacks: checkCallbacks,
  tracked: checkTracked,
};
