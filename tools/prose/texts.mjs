// Finds the project's texts: the files and the lines.

const generated =
  /(^|\/)(node_modules|vendor|third_party|testdata|dist)\/|schema\.d\.ts$|openapi\.json$|\.lock|package-lock|CHANGELOG|[._]gen\.(go|ts)$/;
const tests = /_test\.go$|\.(test|spec)\.tsx?$|(^|\/)e2e\/|testing\.tsx?$|\/dev\//;
const sql = /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|CREATE|ORDER BY|VALUES)\b|^\s*(AND|OR) /;

export const wordsOf = (text) => (text.match(/[A-Za-z][A-Za-z'’-]*/g) ?? []).length;

/** Yields {kind, line, text} for each text of a file; kind is ui, go, docs or comments. */
export function* textsOf(file, content) {
  if (generated.test(file)) return;
  const found = file.endsWith('.md') ? docs : file.endsWith('.go') ? go : /\.tsx?$/.test(file) ? browser : undefined;
  if (!found) return;
  for (const item of found(content, tests.test(file))) if (wordsOf(item.text) >= 3) yield item;
}

function* docs(content) {
  let fenced = false;
  for (const [i, line] of content.split('\n').entries()) {
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    else if (!fenced)
      yield {
        kind: 'docs',
        line: i + 1,
        text: line.replace(/`[^`]*`/g, '').trim(),
      };
  }
}

function* go(content, isTest) {
  let raw = false; // inside a multiline text between backticks
  for (const [i, line] of content.split('\n').entries()) {
    const withoutTexts = line.replace(/"(?:[^"\\]|\\.)*"|'`'/g, '""');
    const comment = raw ? null : withoutTexts.replace(/`[^`]*`/g, '``').match(/(?:^|\s)\/\/\s?(.*)$/);
    const ticks = (withoutTexts.replace(/(?:^|\s)\/\/.*$/, '').match(/`/g) ?? []).length;
    if (comment && !/^(go:|nolint)/.test(comment[1])) {
      yield {
        kind: 'comments',
        line: i + 1,
        text: line.slice(line.lastIndexOf('//') + 2).trim(),
      };
    }
    if (!isTest && !/^\s*\/\//.test(line)) {
      for (const [, quoted, ticked] of line
        .replace(comment ? /\s\/\/ .*$/ : /$^/, '')
        .matchAll(/"((?:[^"\\]|\\.)*)"|`([^`"]*)`/g)) {
        const text = quoted ?? ticked;
        if (text.includes(' ') && !sql.test(text)) yield { kind: 'go', line: i + 1, text };
      }
      // Only the sentences of a multiline text, because most of these texts are SQL.
      const text = line.trim().replace(/^`|`.*$/g, '');
      if (raw && !/[=;(){}<>|$"]/.test(text) && !sql.test(text)) yield { kind: 'go', line: i + 1, text };
    }
    if (ticks % 2) raw = !raw;
  }
}

function* browser(content, isTest) {
  let inComment = false;
  for (const [i, line] of content.split('\n').entries()) {
    const trimmed = line.trim();
    if (/^(\/\*|\{\/\*)/.test(trimmed)) inComment = true;
    if (inComment || trimmed.startsWith('//')) {
      yield {
        kind: 'comments',
        line: i + 1,
        text: trimmed.replace(/^\{?\/\*+|\*+\/\}?$|^\*|^\/\//g, '').trim(),
      };
      if (trimmed.includes('*/')) inComment = false;
      continue;
    }
    if (isTest || trimmed.startsWith('import')) continue;
    for (const [, a, b, c] of line.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)) {
      const text = a ?? b ?? c;
      if (text.includes(' ')) yield { kind: 'ui', line: i + 1, text };
    }
    const text = trimmed.replace(/<[^>]*>/g, '');
    if (!/[=;(){}]/.test(trimmed.replace(/\{[^}]*\}|<[^>]*>/g, ''))) yield { kind: 'ui', line: i + 1, text };
  }
}
