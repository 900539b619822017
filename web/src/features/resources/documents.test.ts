import { beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '@/api/config';
import { configure } from '@/api/testing';
import { linkTo, readDocuments } from './documents';

const start = (part: Partial<Config> = {}) => configure({ resourceUrl: '/api/resources', ...part });
const mapping = { resourceAssetPath: '/assets/provider', resourceContentPath: '/documents' };
const ours = (path: string) => `http://localhost:3000/api/resources/${path}`;

beforeEach(() => start(mapping));

describe('a link', () => {
  test.each([
    ['/assets/provider/manuals/a.pdf', ours('documents/manuals/a.pdf')],
    ['/assets/provider', ours('documents')],
    ['/assets/providers/a.pdf', ours('assets/providers/a.pdf')],
    ['/other/a b.pdf', ours('other/a%20b.pdf')],
    ['https://www.example.com/a.pdf', 'https://www.example.com/a.pdf'],
    ['http://www.example.com/a.pdf', 'http://www.example.com/a.pdf'],
  ])('%s', (href, address) => expect(linkTo(href)).toBe(address));

  test.each([
    ['javascript:alert(1)'],
    [' javascript:alert(1)'],
    ['data:text/html,x'],
    ['blob:http://localhost:3000/x'],
    ['//evil.example/a.pdf'],
    ['/\\evil.example/a.pdf'],
    ['/../session'],
    ['/assets/provider/../../../session'],
    ['/%2e%2e/session'],
    ['https:evil.example'],
    ['a.pdf'],
    [''],
    [5],
    [null],
    [{ toString: () => '/a.pdf' }],
  ])('%j has no target', (href) => expect(linkTo(href)).toBeNull());

  test('is unchanged without configured paths', async () => {
    await start();
    expect(linkTo('/assets/provider/a.pdf')).toBe(ours('assets/provider/a.pdf'));
  });

  test('with a full address is mapped if the asset path is one', async () => {
    await start({ resourceAssetPath: 'https://cdn.example/assets', resourceContentPath: '/documents' });
    expect(linkTo('https://cdn.example/assets/a.pdf')).toBe(ours('documents/a.pdf'));
    expect(linkTo('https://cdn.example/assets.evil/a.pdf')).toBe('https://cdn.example/assets.evil/a.pdf');
  });
});

describe('the list', () => {
  const entry = (properties: object = {}, links: unknown = [{ href: '/a.pdf' }]) => ({
    properties: { name: 'A', category: 'Training', walkmeId: 'tour-1', ...properties },
    links,
  });

  test('gives each document its name, category, tour ID and address', () => {
    expect(readDocuments([entry()])).toEqual({
      documents: [{ id: '0', name: 'A', category: 'Training', walkmeId: 'tour-1', href: ours('a.pdf') }],
      leftOut: 0,
    });
    for (const walkmeId of [undefined, null])
      expect(readDocuments([entry({ walkmeId })]).documents[0]?.walkmeId).toBe('');
  });

  test.each([
    [null],
    ['x'],
    [{}],
    [{ properties: null, links: null }],
    [entry({ name: ' ' })],
    [entry({ name: 5 })],
    [entry({ name: { toString: 'x' } })],
    [entry({ category: undefined })],
    [entry({ walkmeId: ['x'] })],
    [entry({ name: 'x'.repeat(1000) })],
    [entry({}, [])],
    [entry({}, { 0: { href: '/a.pdf' } })],
    [entry({}, [{ href: 'javascript:alert(1)' }])],
  ])('skips and counts %.80j', (bad) => {
    const { documents, leftOut } = readDocuments([entry(), bad, entry()]);
    expect(documents.map(({ id }) => id)).toEqual(['0', '2']);
    expect(leftOut).toBe(1);
  });

  test.each([[null], [{}], ['[]'], [{ length: 1 }]])('%j is invalid', (list) =>
    expect(() => readDocuments(list)).toThrow(),
  );
});
