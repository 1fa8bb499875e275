import type { HLJSApi } from "highlight.js";
import type { Highlighter } from "./highlighter.ts";
import { findLanguage, languages } from "./languages.ts";
import { parseHighlighted } from "./parse-highlighted.ts";

/** `core`: an instance of highlight.js of its own, to which languages are added. `onLoad`: there is more colour now. */
export function createHighlighter(core: HLJSApi, onLoad: () => void = () => {}): Highlighter {
  const loading = new Map<string, Promise<void>>();
  const failed = new Set<string>();

  async function register(name: string): Promise<void> {
    try {
      const language = await languages[name]?.();
      if (language !== undefined) core.registerLanguage(name, language.default);
    } catch {
      failed.add(name);
    } finally {
      loading.delete(name);
      onLoad();
    }
  }

  return {
    highlight(code, language) {
      const name = findLanguage(language);
      if (name === null || core.getLanguage(name) === undefined) return null;
      return parseHighlighted(core.highlight(code, { language: name, ignoreIllegals: true }).value);
    },
    load(language) {
      const name = findLanguage(language);
      if (name === null || failed.has(name) || core.getLanguage(name) !== undefined) return false;
      if (!loading.has(name)) loading.set(name, register(name));
      return true;
    },
    async settled() {
      while (loading.size > 0) await Promise.all(loading.values());
    },
  };
}
