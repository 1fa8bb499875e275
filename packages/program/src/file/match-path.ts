/** Finds letters in paths, always the same ones. */
export interface PathMatcher {
  /**
   * How well they are found, from above 0 to 1, which is the whole path; 0: not at all. The path must contain them in
   * this order, with any others in between; words (between blanks) in any order. Best in a row, at the beginnings of
   * words, and in the name of the file.
   */
  score(path: string): number;
  /** Where they stand, from the first to the last; none where `score` is 0. */
  places(path: string): readonly number[];
}

const letterPoints = 4;
/** In the name, behind the last slash. */
const namePoints = 2;
/** Right behind the letter before it, or the first of a word. */
const rowPoints = 6;
/** The first of a name. */
const beginningPoints = 8;
/** The weight of the share of the path that the letters cover. */
const wholeShare = 0.1;

export function createPathMatcher(letters: string): PathMatcher {
  const words = letters
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const wanted = words.reduce((sum, { length }) => sum + length, 0);
  const most = words.reduce((sum, { length }) => sum + toMost(length), 0);
  const table = createTable();
  return {
    score(path) {
      const folded = fold(path);
      if (wanted === 0 || !words.every((word) => holds(folded, word))) return 0;
      let points = 0;
      for (const word of words) points += table.fill(path, folded, word);
      return (1 - wholeShare) * (points / most) + wholeShare * Math.min(1, wanted / path.length);
    },
    places(path) {
      const folded = fold(path);
      if (!words.every((word) => holds(folded, word))) return [];
      const places = words.flatMap((word) => {
        table.fill(path, folded, word);
        return table.trace();
      });
      return [...new Set(places)].toSorted((a, b) => a - b);
    },
  };
}

/** The first letter starts the name, and all others follow it directly. */
function toMost(length: number): number {
  return length * (letterPoints + namePoints + rowPoints) + beginningPoints - rowPoints;
}

/** In lower case, letter by letter as before. */
function fold(path: string): string {
  const folded = path.toLowerCase();
  return folded.length === path.length ? folded : path;
}

/** Most paths lack a letter: seen so ten times as fast as by a table. */
function holds(folded: string, word: string): boolean {
  let at = 0;
  for (let index = 0; index < word.length; index += 1) {
    at = folded.indexOf(word.charAt(index), at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The best way to place the letters of a word in a path that holds them. */
interface LetterTable {
  /** Gives the points of the best way. */
  fill(path: string, folded: string, word: string): number;
  /** The places of the way that `fill` found. */
  trace(): readonly number[];
}

/** Its columns serve for all paths: nothing is made for each of 100,000. */
function createTable(): LetterTable {
  /** By letter: where it stands, the points of the best way up to there, and the row of the letter before it on that way. */
  const [places, points, before]: [number[], number[], number[]] = [[], [], []];
  let rows = 0;

  /** Adds the places of a letter behind the first of the letter before it, whose rows begin at `from`; gives where its own begin. */
  function addLetter({ path, folded, name }: Sought, letter: string, from: number): number {
    const start = rows;
    let [next, best] = [from, -1];
    let place = folded.indexOf(letter, from === start ? 0 : (places[from] ?? 0) + 1);
    for (; place >= 0; place = folded.indexOf(letter, place + 1)) {
      for (; next < start && (places[next] ?? 0) < place; next += 1)
        if (best < 0 || (points[next] ?? 0) >= (points[best] ?? 0)) best = next;
      const own = letterPoints + (place >= name ? namePoints : 0);
      const beginning = rateBeginning(path, place);
      const apart = (best < 0 ? 0 : (points[best] ?? 0)) + own + beginning;
      const isInRow = next > from && places[next - 1] === place - 1;
      const inRow = isInRow ? (points[next - 1] ?? 0) + own + Math.max(beginning, rowPoints) : 0;
      places[rows] = place;
      points[rows] = Math.max(apart, inRow);
      before[rows] = inRow >= apart ? next - 1 : best;
      rows += 1;
    }
    return start;
  }

  let end = 0;
  return {
    fill(path, folded, word) {
      const sought = { path, folded, name: path.lastIndexOf("/") + 1 };
      rows = 0;
      let start = 0;
      for (let index = 0; index < word.length; index += 1) start = addLetter(sought, word.charAt(index), start);
      end = start;
      for (let row = start; row < rows; row += 1) if ((points[row] ?? 0) > (points[end] ?? 0)) end = row;
      return points[end] ?? 0;
    },
    trace() {
      const way: number[] = [];
      for (let row = end; row >= 0; row = before[row] ?? -1) way.unshift(places[row] ?? 0);
      return way;
    },
  };
}

interface Sought {
  readonly path: string;
  readonly folded: string;
  /** Where the name begins. */
  readonly name: number;
}

/** Whether a word begins there. */
function rateBeginning(path: string, at: number): number {
  const last = path.charAt(at - 1);
  if (last === "" || last === "/") return beginningPoints;
  if (last === "-" || last === "_" || last === "." || last === " ") return rowPoints;
  return last >= "a" && last <= "z" && isCapital(path.charAt(at)) ? rowPoints : 0;
}

function isCapital(letter: string): boolean {
  return letter >= "A" && letter <= "Z";
}
