import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '@/ui/cx';
import styles from './ContentFrame.module.css';
import { parseFrameMessage } from './messages';
import { type ContentPage, isReached } from './reach';

// The height that a page reports doesn't include its scrollbar.
const extraHeight = 17;

// A page reports its height when it's ready. One that hasn't after this many milliseconds is
// slow, static or unreachable.
const reportTimeout = 5_000;

type ContentFrameProps = {
  url: string;
  title: string;
  onSecureResource?: (path: string) => void;
  /** Shown in place of an unreachable page. */
  instead?: { page: ContentPage; shown: ReactNode };
};

/**
 * A content page from another host, sized to the height it reports. Without a report it scrolls
 * inside the frame.
 */
export function ContentFrame({ url, title, onSecureResource, instead }: ContentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  const [waited, setWaited] = useState(false);
  const [isPlain, setPlain] = useState(false);

  useEffect(() => {
    const handleMessage = (event: MessageEvent) => {
      const message = parseFrameMessage(event, frame.current, url);
      if (message?.type === 'height') setHeight(Math.ceil(message.height) + extraHeight);
      if (message?.type === 'secureResource') onSecureResource?.(message.url);
    };
    window.addEventListener('message', handleMessage);
    return () => window.removeEventListener('message', handleMessage);
  }, [url, onSecureResource]);

  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), reportTimeout);
    return () => clearTimeout(timer);
  }, []);

  const page = instead?.page;
  async function load() {
    // A browser's own error page fires the load event too.
    if (page && height === undefined)
      setPlain(await isReached(page, url, AbortSignal.timeout(reportTimeout)));
  }

  const absent = instead !== undefined && waited && height === undefined && !isPlain;
  return (
    <>
      {absent && instead.shown}
      {/* Laid out even while hidden: without a layout a page can't report its height. */}
      <div className={cx(absent && styles.absent)}>
        <iframe
          ref={frame}
          className={styles.frame}
          src={url}
          title={title}
          style={{ height }}
          onLoad={() => void load()}
          sandbox="allow-scripts allow-same-origin allow-popups"
        />
      </div>
    </>
  );
}
