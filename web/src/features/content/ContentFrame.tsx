import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './ContentFrame.module.css';
import { frameMessage } from './messages';

// What a page reports leaves out the room its scrollbar takes.
const extraHeight = 17;

// A page says its height as soon as it is there: one that is silent for so long cannot be reached.
const silence = 5_000;

type ContentFrameProps = {
  url: string;
  title: string;
  onSecureResource?: (path: string) => void;
  /** Stands in for a page that cannot be reached, until it speaks. */
  unreachable?: ReactNode;
};

/** A content page from another host, as high as it says it is. */
export function ContentFrame({ url, title, onSecureResource, unreachable }: ContentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  const [waited, setWaited] = useState(false);

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

  const silent = unreachable !== undefined && waited && height === undefined;
  return (
    <>
      {silent && unreachable}
      <iframe
        ref={frame}
        hidden={silent}
        className={styles.frame}
        src={url}
        title={title}
        style={{ height }}
        sandbox="allow-scripts allow-same-origin allow-popups"
      />
    </>
  );
}
