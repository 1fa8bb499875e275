import { basename } from "node:path";
import type { Repository } from "./repository.ts";

/** File names that say nothing, `export *`, and lint rules that are switched off without a reason. */
export function checkSources(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/{src,test}/**/*.ts", "{bench,simulation,examples,tooling,conformance}/**/*.{ts,mjs}")
    .flatMap((file) => {
      const text = repository.read(file);
      const found = [];
      if (/^(utils?|helpers?|manager|misc|common)\.ts$/.test(basename(file)))
        found.push(`${file}: name the file after its one concept`);
      if (/^export \*/m.test(text)) found.push(`${file}: export names one by one, never "export *"`);
      for (const [index, line] of text.split("\n").entries()) {
        if (/^\s*\/[/*] oxlint-disable(?!.* -- \S)/.test(line))
          found.push(`${file}:${index + 1}: switches a lint rule off: say why behind " -- "`);
      }
      return found;
    });
}
