// Reads the JSON reports of the linters.

/** Returns what golangci-lint found: rule, file, line and message. */
export const readGolangci = ({ Issues }) =>
  (Issues ?? []).map(({ FromLinter, Text, Pos }) => ({
    rule: Text.startsWith('argument-limit: ') ? 'argument-limit' : FromLinter,
    file: Pos.Filename,
    line: Pos.Line,
    message: `${Text} (${FromLinter})`,
  }));

/** Returns what Biome found in a folder: rule, file, line and message. */
export const readBiome = ({ diagnostics }, folder) =>
  diagnostics.map(({ category, location, description, message }) => ({
    rule: category.split('/').at(-1),
    file: folder + (location?.path?.file ?? location?.path ?? ''),
    line: location?.start?.line ?? 0,
    message: `${description ?? message} (${category})`,
  }));

/** Counts the findings of some rules by rule and file. Others are returned unchanged. */
export function countByFile(findings, rules) {
  const counts = Object.fromEntries(rules.map((rule) => [rule, {}]));
  const others = [];
  for (const finding of findings) {
    const files = counts[finding.rule];
    if (files) files[finding.file] = (files[finding.file] ?? 0) + 1;
    else others.push(finding);
  }
  return { counts, others };
}

/** Compares counts with the listed ones, and returns where there are more and where fewer. */
export function compare(counts, listed) {
  const worse = [];
  const better = [];
  for (const rule of Object.keys(listed)) {
    for (const file of new Set([...Object.keys(counts[rule]), ...Object.keys(listed[rule])])) {
      const is = counts[rule][file] ?? 0;
      const limit = listed[rule][file] ?? 0;
      if (is > limit) worse.push({ rule, file, is, limit });
      if (is < limit) better.push({ rule, file, is, limit });
    }
  }
  return { worse, better };
}
