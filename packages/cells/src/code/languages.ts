import type { LanguageFn } from "highlight.js";

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** By its name for highlight.js. */
export const languages: Readonly<Record<string, Load>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  dart: () => import("highlight.js/lib/languages/dart"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  elixir: () => import("highlight.js/lib/languages/elixir"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  haskell: () => import("highlight.js/lib/languages/haskell"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  nix: () => import("highlight.js/lib/languages/nix"),
  perl: () => import("highlight.js/lib/languages/perl"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  protobuf: () => import("highlight.js/lib/languages/protobuf"),
  python: () => import("highlight.js/lib/languages/python"),
  r: () => import("highlight.js/lib/languages/r"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scala: () => import("highlight.js/lib/languages/scala"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** What else stands behind fences and at the ends of files. */
const otherNames: Readonly<Record<string, string>> = {
  "c++": "cpp",
  cc: "cpp",
  cjs: "javascript",
  cs: "csharp",
  cts: "typescript",
  docker: "dockerfile",
  ex: "elixir",
  golang: "go",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  htm: "xml",
  html: "xml",
  js: "javascript",
  jsonc: "json",
  jsonl: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  mjs: "javascript",
  mts: "typescript",
  patch: "diff",
  pl: "perl",
  proto: "protobuf",
  ps1: "powershell",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svelte: "xml",
  svg: "xml",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  vue: "xml",
  yml: "yaml",
  zsh: "bash",
};

/** Null: a language that has no colours here. */
export function findLanguage(name: string): string | null {
  const lower = name.toLowerCase();
  if (Object.hasOwn(languages, lower)) return lower;
  return Object.hasOwn(otherNames, lower) ? (otherNames[lower] ?? null) : null;
}

/** Names that say that there is nothing to colour. */
const plainNames: ReadonlySet<string> = new Set(["", "console", "log", "output", "plain", "plaintext", "text", "txt"]);

/** Whether what stands behind a fence is no more than a language: any other word may be of the answer. */
export function isLanguageName(info: string): boolean {
  return plainNames.has(info.toLowerCase()) || findLanguage(info) !== null;
}
