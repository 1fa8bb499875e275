// An answer in Markdown in which each line, bullet and cell has a number of its own, and a count of those numbers in what an emulator shows.

/** So many markers has the answer: 12 sections of 23. */
export const markerCount = 276;

const words = "amber birch cedar delta ember fjord grove harbor island juniper kettle lantern meadow nectar orchid pebble quartz ripple saffron timber".split(" ");

/** Each part: its Markdown, and its words as they must follow its marker (null: a cell of a table, whose words may be broken into rows). */
export function createMarkedAnswer() {
  let next = 0;
  const expected = [];
  const mark = (count, isCell = false) => {
    next += 1;
    const text = Array.from({ length: count }, (_, index) => words[(next * 7 + index * 3) % words.length]).join(" ");
    const marker = `m${String(next).padStart(3, "0")}`;
    expected.push({ marker, text: isCell ? null : text.replaceAll(" ", "") });
    return `${marker} ${text}`;
  };
  const sections = Array.from({ length: 12 }, () => [
    `## ${mark(2)}`,
    mark(24),
    Array.from({ length: 5 }, () => `- ${mark(11)}`).join("\n"),
    Array.from({ length: 3 }, (_, index) => `${index + 1}. ${mark(6)}`).join("\n"),
    `\`\`\`\n${Array.from({ length: 6 }, () => mark(9)).join("\n")}\n\`\`\``,
    `| one | two |\n|---|---|\n${Array.from({ length: 3 }, () => `| ${mark(2, true)} | ${mark(1, true)} |`).join("\n")}`,
    mark(15),
  ]);
  return { markdown: sections.flat().join("\n\n"), expected };
}

/** Compares what an emulator shows with the answer. Each list has markers. */
export function countMarkers(shown, expected) {
  const letters = shown.replaceAll(/[^a-z0-9]/g, "");
  const found = [...letters.matchAll(/m\d{3}/g)];
  const names = found.map(([name]) => name);
  const seen = new Map();
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  const firsts = [...new Set(names)];
  const rests = found.slice(0, -1).flatMap(({ 0: marker, index }, at) => {
    const { text } = expected.find((each) => each.marker === marker) ?? { text: null };
    return text === null ? [] : [{ marker, text, rest: letters.slice(index + 4, found[at + 1].index) }];
  });
  return {
    missing: expected.filter(({ marker }) => !seen.has(marker)).map(({ marker }) => marker),
    doubled: [...seen].filter(([, count]) => count > 1).map(([name]) => name),
    misplaced: firsts.filter((name, index) => index > 0 && name < firsts[index - 1]),
    cut: unique(rests.filter(({ text, rest }) => !rest.startsWith(text))),
    extra: unique(rests.filter(({ text, rest }) => rest.startsWith(text) && !isBetween.test(rest.slice(text.length)))),
  };
}

/** Text between the words of a part and the next marker: nothing, the number of a list or the head of a table. */
const isBetween = /^(?:\d|onetwo)?$/;

const unique = (parts) => [...new Set(parts.map(({ marker }) => marker))];
