import type { components } from '@/api/schema';

export type Introduction = components['schemas']['Chat'];

/** The widget's messages that the portal handles. It ignores others. */
export type ChatEvent = { event: 'loaded' | 'close' } | { event: 'unread'; count: number };

// Chatwoot's frame protocol: texts with this prefix and an object with the event's name.
const messagePrefix = 'chatwoot-widget:';
const maxMessage = 100_000;

export const formatChatMessage = (event: string, more: object = {}) =>
  messagePrefix + JSON.stringify({ event, ...more });

/** Accepts a message only from exactly this frame and origin, in a known shape. */
export function parseChatEvent(
  { data, origin, source }: Pick<MessageEvent, 'data' | 'origin' | 'source'>,
  frame: { contentWindow: unknown } | null,
  url: string,
): ChatEvent | null {
  if (!frame?.contentWindow || source !== frame.contentWindow || origin !== new URL(url).origin) return null;
  if (typeof data !== 'string' || data.length > maxMessage || !data.startsWith(messagePrefix)) return null;
  const { event, unreadMessageCount } = Object(parseJson(data.slice(messagePrefix.length)));
  if (event === 'loaded') return { event };
  if (event === 'closeWindow' || event === 'closeChat' || event === 'toggleBubble') return { event: 'close' };
  if (
    event === 'handleNotificationDot' &&
    Number.isSafeInteger(unreadMessageCount) &&
    unreadMessageCount >= 0
  )
    return { event: 'unread', count: unreadMessageCount };
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The messages that pass the portal's state and the user to a loaded widget. */
export const makeIntroduction = (person: Introduction, open: boolean): string[] => [
  formatChatMessage('config-set', {
    position: 'right',
    hideMessageBubble: true,
    showPopoutButton: false,
    showUnreadMessagesDialog: false,
    darkMode: 'auto',
  }),
  // In one message with the identity: separate custom attributes could still reach the anonymous
  // visitor.
  formatChatMessage('set-user', {
    identifier: person.identifier,
    user: {
      name: person.name,
      email: person.email,
      ...(person.phone && { phone_number: person.phone }),
      ...(person.identifierHash && { identifier_hash: person.identifierHash }),
      custom_attributes: { account_type: person.accountType },
    },
  }),
  makeToggleMessages(open),
];

export const makeToggleMessages = (open: boolean) => formatChatMessage('toggle-open', { isOpen: open });
