import { describe, expect, test } from 'vitest';
import { makeIntroduction, parseChatEvent } from './chat';

const url = 'https://chat.example/widget?website_token=inbox';
const frame = { contentWindow: {} };
const heard = (data: unknown, part: object = {}) =>
  parseChatEvent(
    { origin: 'https://chat.example', source: frame.contentWindow, data, ...part } as MessageEvent,
    frame,
    url,
  );
const makeMessage = (event: object) => `chatwoot-widget:${JSON.stringify(event)}`;

describe('an event of the widget', () => {
  test.each([
    [{ event: 'loaded', config: { authToken: 'x' } }, { event: 'loaded' }],
    [{ event: 'closeWindow' }, { event: 'close' }],
    [
      { event: 'handleNotificationDot', unreadMessageCount: 3 },
      { event: 'unread', count: 3 },
    ],
  ])('%j', (sent, event) => expect(heard(makeMessage(sent))).toEqual(event));

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'https://a.chat.example' }],
    ['another frame', { source: {} }],
    ['no frame', { source: null }],
  ])('from %s is ignored', (_, part) => expect(heard(makeMessage({ event: 'loaded' }), part)).toBeNull());

  test.each([
    [{ event: 'loaded' }],
    ['loaded'],
    ['chatwoot-widget:'],
    ['chatwoot-widget:{'],
    ['chatwoot-widget:null'],
    ['chatwoot-widget:[]'],
    [makeMessage({ event: 'popoutChatWindow' })],
    [makeMessage({ event: 'handleNotificationDot', unreadMessageCount: '3' })],
    [makeMessage({ event: 'handleNotificationDot', unreadMessageCount: -1 })],
    [makeMessage({ event: 'handleNotificationDot', unreadMessageCount: 1e300 })],
    [makeMessage({ event: 'loaded', pad: 'x'.repeat(200_000) })],
  ])('with an unknown shape is ignored: %.60j', (data) => expect(heard(data)).toBeNull());
});

describe('the identity message', () => {
  const person = {
    url,
    identifier: '42',
    identifierHash: 'ab12',
    name: 'Ada Moore',
    email: 'ada@example.com',
    phone: '+12125550100',
    accountType: 'Sub User',
  };
  const sent = (open: boolean, part = {}) =>
    makeIntroduction({ ...person, ...part }, open).map((text) =>
      JSON.parse(text.replace('chatwoot-widget:', '')),
    );

  test("contains the widget's state, the user, and whether the panel is open", () => {
    const [settings, user, toggle] = sent(true);
    expect(settings).toMatchObject({ event: 'config-set', hideMessageBubble: true });
    expect(user).toEqual({
      event: 'set-user',
      identifier: '42',
      user: {
        name: 'Ada Moore',
        email: 'ada@example.com',
        phone_number: '+12125550100',
        identifier_hash: 'ab12',
        custom_attributes: { account_type: 'Sub User' },
      },
    });
    expect(toggle).toEqual({ event: 'toggle-open', isOpen: true });
  });

  test('leaves out a missing phone number and signature', () => {
    const { user } = sent(false, { phone: '', identifierHash: '' })[1];
    expect(Object.keys(user)).toEqual(['name', 'email', 'custom_attributes']);
  });
});
