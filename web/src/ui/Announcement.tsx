import { useState } from 'react';
import { Banner } from './Banner';

export interface Announcement {
  kind: 'success' | 'error';
  text: string;
  /** A second paragraph, such as the server's reason. */
  detail?: string;
  /** Numbers a screen's announcements, so that a repeated text is read again. 0 takes no focus. */
  count: number;
}

/** The result of a screen's latest action: `announce` shows it, `clear` removes it. */
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
    // The count continues after a clear, because the same step can announce again.
    clear: () => setSaid(({ latest }) => ({ latest, cleared: true })),
  };
}

/** Takes the focus with each announcement, so that screen readers read it. */
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
