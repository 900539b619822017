import { useEffect, useRef, useState } from 'react';
import styles from './ContentFrame.module.css';
import { frameMessage } from './messages';

// What a page reports leaves out the room its scrollbar takes.
const extraHeight = 17;

type ContentFrameProps = {
  url: string;
  title: string;
  onSecureResource?: (path: string) => void;
};

/** A content page from another host, as high as it says it is. */
export function ContentFrame({ url, title, onSecureResource }: ContentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();

  useEffect(() => {
    const hear = (event: MessageEvent) => {
      const message = frameMessage(event, frame.current, url);
      if (message?.type === 'height') setHeight(Math.ceil(message.height) + extraHeight);
      if (message?.type === 'secureResource') onSecureResource?.(message.url);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [url, onSecureResource]);

  return (
    <iframe
      ref={frame}
      className={styles.frame}
      src={url}
      title={title}
      style={{ height }}
      sandbox="allow-scripts allow-same-origin allow-popups"
    />
  );
}
