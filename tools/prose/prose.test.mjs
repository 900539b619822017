import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSubjects, inTexts } from './patterns.mjs';
import { textsOf } from './texts.mjs';

const hitsOf = (text, patterns) =>
  Object.entries(patterns).flatMap(([name, pattern]) => (text.match(pattern) ? [name] : []));
const kindsOf = (file, content) => [...textsOf(file, content)].map(({ kind, line, text }) => `${kind} ${line} ${text}`);

test('banned phrasings are found, and plain ones are not', () => {
  assert.deepEqual(hitsOf('Nothing is mailed to this address any more.', inTexts), [
    'mail',
    'any more',
    'nobody, nothing',
  ]);
  assert.deepEqual(hitsOf('Who matches when it is sent gets it.', inTexts), ['headless who']);
  assert.deepEqual(hitsOf('Sent to everyone who matches. Who are you?', inTexts), []);
  assert.deepEqual(hitsOf("Couldn't save the rule. Try again.", inTexts), []);
});

test('subjects of commits have the form "area: imperative"', () => {
  assert.deepEqual(hitsOf('users: fix lost update in Manage TINs', inSubjects), []);
  assert.deepEqual(hitsOf('Fix it', inSubjects), ['no "area: imperative"']);
  assert.deepEqual(hitsOf('users: tell what was lost', inSubjects), ['vague verb']);
  assert.deepEqual(hitsOf(`users: fix ${'x'.repeat(70)}`, inSubjects), ['over 72 characters']);
});

test('texts are found in each kind of file', () => {
  assert.deepEqual(kindsOf('a.md', 'One two three.\n```\ncode in a block\n```\n'), ['docs 1 One two three.']);
  assert.deepEqual(kindsOf('a.go', 'x := "Say one thing" // why it is said\n'), [
    'comments 1 why it is said',
    'go 1 Say one thing',
  ]);
  assert.deepEqual(kindsOf('a.go', 'x := "Say one thing"\ny := `Say another thing`\nz := `SELECT a FROM b`\n'), [
    'go 1 Say one thing',
    'go 2 Say another thing',
  ]);
  assert.deepEqual(kindsOf('a.go', 'x := `\nSay one thing.\n\tWHERE a AND b\n`\n'), ['go 2 Say one thing.']);
  assert.deepEqual(kindsOf('a_test.go', 'x := "Say one thing"\n'), []);
  assert.deepEqual(kindsOf('a.tsx', "<p>\n  Say one thing.\n</p>\n// why it is so\nconst x = 'Say another thing';\n"), [
    'ui 2 Say one thing.',
    'comments 4 why it is so',
    'ui 5 Say another thing',
  ]);
});
