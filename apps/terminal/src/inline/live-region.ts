import { expandDraft, findCandidateQuery, offerCandidates, replaceDraft } from "@unroll/screen";
import type { LiveRegion } from "../driver.ts";
import { change, type InlineParts } from "./inline-parts.ts";

/** Gives the program access to the painted rows below the transcript. */
export function createLiveRegion(parts: InlineParts): LiveRegion {
  const { screen, palette } = parts;
  return {
    get isFocused() {
      return screen.ui.isFocused;
    },
    get hasPictures() {
      return palette.painter.hasPictures;
    },
    get draft() {
      return expandDraft(screen.ui.composer);
    },
    set draft(draft) {
      change(parts, (ui) => ({ ...ui, composer: replaceDraft(ui.composer, [draft]) }));
    },
    showPicture(picture) {
      screen.transcript?.show(picture);
      screen.loop.request();
    },
    hint: (hint) => change(parts, (ui) => ({ ...ui, hint })),
    setStatus: (render) => void (screen.renderStatus = render),
    setTitle(render) {
      screen.title.render = render;
      screen.loop.request();
    },
    stopAnimation: () => void (screen.isAnimated = false),
    completeWith(find) {
      parts.offer = () => {
        const { composer } = screen.ui;
        const query = findCandidateQuery(composer);
        const candidates = query === null ? null : find(query);
        if (query === null || candidates === null) return;
        const next = offerCandidates(composer, query, candidates);
        if (next !== composer) change(parts, (ui) => ({ ...ui, composer: next }));
      };
      parts.offer();
      return () => parts.offer();
    },
    send: (sequence) => screen.send(sequence),
  };
}
