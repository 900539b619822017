import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '@/ui/cx';
import styles from './ContentFrame.module.css';
import { frameMessage } from './messages';
import { type ContentPage, isReached } from './reach';

// What a page reports leaves out the room its scrollbar takes.
const extraHeight = 17;

// A page says its height as soon as it is there. One that is silent for so long is slow, plain, or can't be reached.
const silence = 5_000;

type ContentFrameProps = {
  url: string;
  title: string;
  onSecureResource?: (path: string) => void;
  /** Stands in for a page that isn't there, until it is. */
  instead?: { page: ContentPage; shown: ReactNode };
};

/** A content page from another host, as high as it says it is. One that never says so scrolls in itself. */
export function ContentFrame({ url, title, onSecureResource, instead }: ContentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  const [waited, setWaited] = useState(false);
  const [plain, setPlain] = useState(false);

  useEffect(() => {
    const hear = (event: MessageEvent) => {
      const message = frameMessage(event, frame.current, url);
      if (message?.type === 'height') setHeight(Math.ceil(message.height) + extraHeight);
      if (message?.type === 'secureResource') onSecureResource?.(message.url);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [url, onSecureResource]);

  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), silence);
    return () => clearTimeout(timer);
  }, []);

  const page = instead?.page;
  async function load() {
    // A browser's own error page loads as well.
    if (page && height === undefined) setPlain(await isReached(page, url, AbortSignal.timeout(silence)));
  }

  const absent = instead !== undefined && waited && height === undefined && !plain;
  return (
    <>
      {absent && instead.shown}
      {/* Laid out also while it is absent: without a layout a page doesn't say its height. */}
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
