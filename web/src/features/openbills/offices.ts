/** An office's name: the words at its start that another name shares, and the rest. */
interface Name {
  shared: string;
  own: string;
}

/**
 * Splits office names by TIN, so that the shared start can be hidden where there is little room.
 * Undefined for a TIN without a name, and for names that look the same without their start.
 */
export function splitNames(
  offices: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, Name | undefined> {
  const names = [...offices].flatMap(([ftin, note]) => (note ? [{ ftin, ...parse(note) }] : []));
  // Sorted, so that the name with the longest shared start is a neighbor.
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  const split = names.map(({ ftin, words, more }, at) => {
    const length = Math.max(...[at - 1, at + 1].map((other) => countShared(words, names[other]?.words)));
    const own = words.slice(length).join(' ');
    return { ftin, short: own, shared: words.slice(0, length).join(' '), own: own + more };
  });
  const counts = new Map<string, number>();
  for (const { short } of split) counts.set(short, (counts.get(short) ?? 0) + 1);
  const unique = split.filter(({ short }) => counts.get(short) === 1);
  const result = new Map(unique.map(({ ftin, shared, own }) => [ftin, { shared, own }]));
  return new Map([...offices.keys()].map((ftin) => [ftin, result.get(ftin)]));
}

function parse(note: string) {
  const [name = '', more = ''] = note.split(/(?= and \d+ more$)/);
  return { name, words: name.split(' '), more };
}

/** Counts the words that both start with. The last word is always its own. */
function countShared(words: readonly string[], other: readonly string[] = []): number {
  const differing = words.findIndex((word, at) => word !== other[at]);
  return differing < 0 ? words.length - 1 : differing;
}
