import assert from 'node:assert/strict';
import test from 'node:test';
import { compare, countByFile, readBiome, readGolangci } from './findings.mjs';

test('reads the report of golangci-lint', () => {
  const report = {
    Issues: [
      { FromLinter: 'lll', Text: 'The line is 150 characters long', Pos: { Filename: 'a.go', Line: 3 } },
      { FromLinter: 'revive', Text: 'argument-limit: maximum number of arguments per function exceeded', Pos: { Filename: 'a.go', Line: 9 } },
    ],
  };
  assert.deepEqual(readGolangci(report).map(({ rule, file, line }) => [rule, file, line]), [
    ['lll', 'a.go', 3],
    ['argument-limit', 'a.go', 9],
  ]);
  assert.deepEqual(readGolangci({ Issues: null }), []);
});

test('reads the report of Biome', () => {
  const report = {
    diagnostics: [
      { category: 'lint/suspicious/noImportCycles', message: 'This import is part of a cycle.', location: { path: 'src/a.ts', start: { line: 1 } } },
    ],
  };
  assert.deepEqual(readBiome(report, 'web/'), [
    { rule: 'noImportCycles', file: 'web/src/a.ts', line: 1, message: 'This import is part of a cycle. (lint/suspicious/noImportCycles)' },
  ]);
});

test('compares the findings of the listed rules by file', () => {
  const finding = (rule, file) => ({ rule, file, line: 1, message: rule });
  const { counts, others } = countByFile(
    [finding('lll', 'more.go'), finding('lll', 'more.go'), finding('lll', 'same.go'), finding('lll', 'new.go'), finding('errcheck', 'x.go')],
    ['lll'],
  );
  assert.deepEqual(others, [finding('errcheck', 'x.go')]);
  assert.deepEqual(compare(counts, { lll: { 'more.go': 1, 'same.go': 1, 'gone.go': 2 } }), {
    worse: [
      { rule: 'lll', file: 'more.go', is: 2, limit: 1 },
      { rule: 'lll', file: 'new.go', is: 1, limit: 0 },
    ],
    better: [{ rule: 'lll', file: 'gone.go', is: 0, limit: 2 }],
  });
});
