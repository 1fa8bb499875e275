/** The page in the browser at the end of a login. */
export interface CallbackPage {
  /** `stray`: a visit that does not belong to it. */
  readonly outcome: "good" | "bad" | "stray";
  readonly title: string;
  /** Advice for the user. */
  readonly text: string;
}

/** A whole HTML page that loads nothing. Its text may come from anywhere. */
export function renderCallbackPage({ title, text }: CallbackPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
