import type { BlockSource, CodeSource, ProseSource } from "./block-source.ts";

export interface BlockSplitter {
  /** Takes a whole line, without its line break. Gives what it ends. */
  push(line: string): readonly BlockSource[];
  /** Gives what a line ends of which only the beginning is known, whatever it becomes. The line is pushed later. */
  foresee(beginning: string): readonly BlockSource[];
  /** The text is at its end. */
  end(): readonly BlockSource[];
  /** The unfinished block, followed by the unfinished line `rest` (empty: none). Null: there is nothing. */
  open(rest: string): BlockSource | null;
}

/** Lines of a fenced block that are given at once: little enough to be highlighted in a frame, with as many before them. */
const batchLines = 20;

/**
 * Cuts Markdown where a block surely ends, line by line, so that it is the same however the text comes in. It cuts late
 * rather than early: between its cuts the lexer decides. Each item of a list at the left edge is a piece of its own.
 */
export function createBlockSplitter(): BlockSplitter {
  let open: OpenBlock | null = null;
  let isAfterGap = false;

  function close(): BlockSource[] {
    const block = open;
    open = null;
    return block === null ? [] : toSources(block);
  }

  function begin(line: string): readonly BlockSource[] {
    const ended = close();
    const hasGap = isAfterGap;
    isAfterGap = false;
    const fence = readFence(line);
    if (fence !== null) {
      open = { type: "code", ...fence, lines: [], before: [], isFirst: true, hasGap };
      return ended;
    }
    open = { type: "prose", isList: listMarker.test(line), lines: [line], hasGap };
    return heading.test(line) ? [...ended, ...close()] : ended;
  }

  function pushCode(block: OpenCode, line: string): readonly BlockSource[] {
    if (isClosing(line, block)) return close();
    block.lines.push(line);
    if (block.lines.length < batchLines) return [];
    const { type, info, before, isFirst, hasGap, lines } = block;
    open = { ...block, lines: [], before: lines, isFirst: false, hasGap: false };
    return [{ type, info, before, isFirst, hasGap, lines }];
  }

  return {
    push(line) {
      if (open?.type === "code") return pushCode(open, line);
      if (line.trim() === "") {
        isAfterGap = true;
        return [];
      }
      if (open === null || beginsBlock(line, open, isAfterGap)) return begin(line);
      if (isAfterGap) open.lines.push("");
      isAfterGap = false;
      open.lines.push(line);
      return [];
    },
    foresee(beginning) {
      // after an empty line, anything at the left edge begins a block
      return open?.type === "prose" && isAfterGap && /^[^\s\p{C}]/u.test(beginning) ? close() : [];
    },
    end: close,
    open(rest) {
      if (open === null) return rest.trim() === "" ? null : { type: "prose", lines: [rest], hasGap: isAfterGap };
      const isMark = open.type === "code" && open.mark.startsWith(rest);
      const behind = rest === "" || isMark ? [] : isAfterGap && open.type === "prose" ? ["", rest] : [rest];
      return toSource({ ...open, lines: [...open.lines, ...behind] });
    },
  };
}

type OpenBlock = OpenProse | OpenCode;

interface OpenProse extends ProseSource {
  readonly isList: boolean;
  readonly lines: string[];
}

interface OpenCode extends CodeSource {
  readonly lines: string[];
  readonly mark: string;
}

const heading = /^#{1,6}(?:\s|$)/;
const listMarker = /^(?:[-*+]|\d{1,9}[.)])\s+\S/;
/** List markers that may directly follow a paragraph (CommonMark 5.3). */
const interruptingMarker = /^(?:[-*+]|1[.)])\s+\S/;

function beginsBlock(line: string, open: OpenProse, isAfterGap: boolean): boolean {
  if (heading.test(line) || readFence(line) !== null) return true;
  if (open.isList) return listMarker.test(line) || (isAfterGap && !/^\s/.test(line));
  return isAfterGap ? !/^\s/.test(line) : interruptingMarker.test(line);
}

/** An opening fence at the left edge (CommonMark 4.5). */
function readFence(line: string): { readonly mark: string; readonly info: string } | null {
  const [, mark, info = ""] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (mark === undefined || (mark.startsWith("`") && info.includes("`"))) return null;
  return { mark, info: info.trim() };
}

function isClosing(line: string, { mark }: OpenCode): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length) && /^ {0,3}\S/.test(line);
}

/** A fenced block whose lines were all given already is nothing more. */
function toSources(block: OpenBlock): BlockSource[] {
  return block.type === "code" && !block.isFirst && block.lines.length === 0 ? [] : [toSource(block)];
}

function toSource(block: OpenBlock): BlockSource {
  if (block.type === "prose") return { type: "prose", lines: block.lines, hasGap: block.hasGap };
  const { type, info, lines, before, isFirst, hasGap } = block;
  return { type, info, lines, before, isFirst, hasGap };
}
