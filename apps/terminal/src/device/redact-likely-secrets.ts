import { shortestSecret } from "@unroll/text";

/**
 * The text with `[secret]` for what is written as credentials are: keys with the marks of their services, tokens in three parts
 * (JWT), what stands behind `Bearer`, in an address before its host, or behind a name that says so. For text that nobody knows the
 * credentials of; known ones are found by `redactSecrets`.
 */
export function redactLikelySecrets(text: string): string {
  return patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, "$<before>[secret]"), text);
}

const namedSecret = `(?<before>(?:key|token|secret|password|authorization|cookie)["']?\\s*[:=]\\s*["']?)`;
const patterns: readonly RegExp[] = [
  /(?<before>)\b(?:sk|rk|pk|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|npm|hf|gsk|AIza)[-_]?[\w-]*[\w-]{16,}/g,
  /(?<before>)\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /(?<before>)\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  new RegExp(`(?<before>\\b(?:Bearer|Basic)\\s+)[\\w.~+/=-]{${shortestSecret},}`, "gi"),
  /(?<before>:\/\/)[^\s/@]+(?=@)/g,
  new RegExp(`${namedSecret}(?!\\[secret\\])[^\\s"',;&)}]{${shortestSecret},}`, "gi"),
];
