// node tools/prose/check.mjs [--list [KIND]]
//
// Counts banned phrasings per 10,000 words in texts that people read, and fails where a kind of
// text has more than limits.json allows. --list prints each one with file and line. A text that
// a specification prescribes goes into exceptions.json, with the reason.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inSubjects, inTexts } from './patterns.mjs';
import { textsOf, wordsOf } from './texts.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const git = (...args) =>
  execFileSync('git', args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const { since, rates } = read('limits.json');
const exceptions = read('exceptions.json');
const listed = process.argv.includes('--list') && (process.argv[process.argv.indexOf('--list') + 1] ?? 'all');

const words = {};
const hits = {};
const used = new Set();
function count(kind, place, text, patterns) {
  words[kind] = (words[kind] ?? 0) + wordsOf(text);
  hits[kind] ??= 0;
  for (const [name, pattern] of Object.entries(patterns)) {
    const found = text.match(pattern)?.length ?? 0;
    if (!found) continue;
    if (Object.hasOwn(exceptions, text)) {
      used.add(text);
      continue;
    }
    hits[kind] += found;
    if (listed === 'all' || listed === kind) console.log(`${place}: ${name}: ${text}`);
  }
}

for (const file of git('ls-files', '*.md', '*.go', '*.ts', '*.tsx').split('\n').filter(Boolean)) {
  for (const { kind, line, text } of textsOf(file, readFileSync(file, 'utf8')))
    count(kind, `${file}:${line}`, text, inTexts);
}

let subjects = '';
try {
  subjects = git('log', '--no-merges', '--format=%h%x09%s', `${since}..HEAD`);
} catch {
  console.log("prose: commit subjects weren't checked, because the history isn't available");
}
for (const entry of subjects.split('\n').filter(Boolean)) {
  const [hash, subject] = entry.split('\t');
  count('commits', hash, subject, { ...inTexts, ...inSubjects });
}

let failed = false;
for (const [kind, limit] of Object.entries(rates)) {
  const rate = (1e4 * (hits[kind] ?? 0)) / Math.max(1, words[kind] ?? 0);
  console.log(
    `prose: ${kind}: ${hits[kind] ?? 0} in ${words[kind] ?? 0} words, ${rate.toFixed(1)} per 10,000 (limit ${limit})`,
  );
  if (rate > limit) {
    failed = true;
    console.log(`prose: too many in ${kind}. See them with: node tools/prose/check.mjs --list ${kind}`);
  } else if (limit > 80 && rate < limit - 5) {
    failed = true;
    console.log(`prose: lower the limit of ${kind} in tools/prose/limits.json to ${Math.ceil(rate)}: it only falls`);
  }
}
for (const text of Object.keys(exceptions).filter((text) => !used.has(text))) {
  failed = true;
  console.log(`prose: remove this unused exception: ${text}`);
}
process.exitCode = failed ? 1 : 0;
