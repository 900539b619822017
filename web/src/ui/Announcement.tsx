import { useState } from 'react';
import { Banner } from './Banner';

export interface Announcement {
  kind: 'success' | 'error';
  text: string;
  /** A second paragraph, such as the server's own reason. */
  detail?: string;
  /** Counts the announcements of a screen, so that the same text said again is read again; 0 takes no focus. */
  count: number;
}

/** What became of the last action on a screen: `announce` says it, `clear` takes it back. */
export function useAnnouncement(arrival: string | undefined = undefined) {
  const [{ latest, cleared }, setSaid] = useState<{ latest: Announcement | null; cleared: boolean }>({
    latest: arrival ? { kind: 'success', text: arrival, count: 0 } : null,
    cleared: false,
  });
  return {
    announcement: cleared ? null : latest,
    announce: (kind: Announcement['kind'], text: string, detail?: string) =>
      setSaid(({ latest }) => ({
        latest: { kind, text, detail, count: (latest?.count ?? 0) + 1 },
        cleared: false,
      })),
    // What was cleared counts on: it may be said again in the same step.
    clear: () => setSaid(({ latest }) => ({ latest, cleared: true })),
  };
}

/** Takes the focus with each announcement, so that it is read. */
export function AnnouncementBanner({ announcement }: { announcement: Announcement | null }) {
  if (!announcement) return null;
  const { kind, text, detail, count } = announcement;
  return (
    <Banner key={count} kind={kind} focusOn={count || undefined}>
      <p>{text}</p>
      {detail && <p>{detail}</p>}
    </Banner>
  );
}
