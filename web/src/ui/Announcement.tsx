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
  const [announcement, setAnnouncement] = useState<Announcement | null>(
    arrival ? { kind: 'success', text: arrival, count: 0 } : null,
  );
  return {
    announcement,
    announce: (kind: Announcement['kind'], text: string, detail?: string) =>
      setAnnouncement((before) => ({ kind, text, detail, count: (before?.count ?? 0) + 1 })),
    clear: () => setAnnouncement(null),
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
