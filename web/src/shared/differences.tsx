import styles from './differences.module.css';

interface Part {
  /** Its position in the text. */
  at: number;
  text: string;
  differs: boolean;
}

// Longer texts aren't compared character by character.
const comparedLength = 80;

/** Splits two texts into parts that are in both, in the same order, and parts that differ. */
export function markDifference(one: string, other: string): [Part[], Part[]] {
  if (one.length > comparedLength || other.length > comparedLength)
    return [[{ at: 0, text: one, differs: true }], [{ at: 0, text: other, differs: true }]];
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  // common[i][j] is the length of the longest common subsequence of a from i and b from j.
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const [sameA, sameB] = [new Set<number>(), new Set<number>()];
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      sameA.add(i++);
      sameB.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return [split(one, sameA), split(other, sameB)];
}

function split(text: string, same: Set<number>): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < text.length; at++) {
    const differs = !same.has(at);
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text.charAt(at);
    else parts.push({ at, text: text.charAt(at), differs });
  }
  return parts;
}

/** A text with the parts that differ from another one marked. */
export const Marked = ({ parts }: { parts: readonly Part[] }) => (
  <span className={styles.value}>
    {parts.map(({ at, text, differs }) => (differs ? <mark key={at}>{text}</mark> : text))}
  </span>
);
