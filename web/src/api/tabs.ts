import type { Ending } from './types';

/** Data that many screens show; see shared/changes. */
export type Subject = 'tins' | 'users' | 'groups' | 'support-session';

/** Messages between the tabs of one browser, which share a session. */
export type TabMessage =
  | { type: 'activity'; at: number; touchedAt: number }
  | { type: 'ended'; ending: Ending }
  | { type: 'started' }
  | { type: 'mirror' }
  | { type: 'news' }
  | { type: 'changed'; subjects: readonly Subject[] };

const channel = new BroadcastChannel('wcpp');

export function notifyTabs(message: TabMessage): void {
  channel.postMessage(message);
}

/** Listens to the other tabs, never to this one. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const handle = (event: MessageEvent<TabMessage>) => listener(event.data);
  channel.addEventListener('message', handle);
  return () => channel.removeEventListener('message', handle);
}
