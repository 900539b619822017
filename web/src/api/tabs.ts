import type { Ending } from './session';

/** What is shown on many screens; see shared/changes. */
export type Subject = 'tins' | 'users' | 'groups';

/** What the tabs of one browser tell each other. They share one session, so they share its fate. */
export type TabMessage =
  | { type: 'activity'; at: number; touchedAt: number }
  | { type: 'ended'; ending: Ending }
  | { type: 'started' }
  | { type: 'mirror' }
  | { type: 'news' }
  | { type: 'changed'; subjects: readonly Subject[] };

const channel = new BroadcastChannel('wcpp');

export function tellTabs(message: TabMessage): void {
  channel.postMessage(message);
}

/** Hears the other tabs, never this one. */
export function hearTabs(listener: (message: TabMessage) => void): () => void {
  const hear = (event: MessageEvent<TabMessage>) => listener(event.data);
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}
