import { describe, expect, test } from 'vitest';
import { parseFrameMessage } from './messages';

const frame = { contentWindow: {} };
const page = 'https://content.example/home.html';
const event = (part: object) =>
  ({
    origin: 'https://content.example',
    source: frame.contentWindow,
    data: { type: 'height', height: 800 },
    ...part,
  }) as MessageEvent;

describe('a message', () => {
  test('from the frame is accepted', () => {
    expect(parseFrameMessage(event({}), frame, page)).toEqual({ type: 'height', height: 800 });
    const resource = { type: 'secureResource', url: '/manuals/a.pdf' };
    expect(parseFrameMessage(event({ data: resource }), frame, page)).toEqual(resource);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'https://a.content.example' }],
    ['another window', { source: {} }],
    ['no window', { source: null }],
  ])("from %s isn't", (_, part) => {
    expect(parseFrameMessage(event(part), frame, page)).toBeNull();
  });

  test("isn't accepted before the frame exists", () => {
    expect(parseFrameMessage(event({ source: null }), { contentWindow: null }, page)).toBeNull();
  });

  test.each([
    [null],
    ['height'],
    [{ type: 'height', height: '800' }],
    [{ type: 'height', height: -1 }],
    [{ type: 'height', height: Number.NaN }],
    [{ type: 'height', height: 1e9 }],
    [{ type: 'secureResource', url: 5 }],
    [{ type: 'navigate', url: '/x' }],
  ])("with an unknown shape isn't: %j", (data) => {
    expect(parseFrameMessage(event({ data }), frame, page)).toBeNull();
  });
});
