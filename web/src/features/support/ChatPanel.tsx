import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { IconButton } from '@/ui/Button';
import { CloseIcon } from '@/ui/icons';
import { Failed, Loading } from '@/ui/PageState';
import styles from './ChatPanel.module.css';
import { type Introduction, makeIntroduction, makeToggleMessages, parseChatEvent } from './chat';

interface Props {
  open: boolean;
  onClose: () => void;
  onUnread: (count: number) => void;
}

export const chatPanelId = 'tech-support';

// A widget that hasn't responded after this many milliseconds counts as unreachable.
const widgetTimeout = 20_000;

/** The chat provider's widget in a frame of its own origin, with the signed-in user's identity. */
export function ChatPanel({ open, onClose, onUnread }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [person, setPerson] = useState<Introduction>();
  const [attempts, setAttempts] = useState(1);
  const [failed, setFailed] = useState(false);
  const fail = useCallback(() => setFailed(true), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns on each attempt
  useEffect(() => {
    const call = new AbortController();
    unwrap(api.GET('/support/chat', { signal: call.signal })).then(setPerson, () => {
      if (!call.signal.aborted) fail();
    });
    return () => call.abort();
  }, [attempts, fail]);

  useEffect(() => {
    if (open) heading.current?.focus();
  }, [open]);

  const retry = () => {
    setFailed(false);
    setPerson(undefined);
    setAttempts(attempts + 1);
  };

  return (
    <aside
      id={chatPanelId}
      className={styles.panel}
      aria-label="Tech Support"
      hidden={!open}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          Tech Support
        </h2>
        <IconButton label="Close Tech Support" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {failed ? (
        <Failed message="Tech Support isn't available right now." onRetry={retry} />
      ) : person ? (
        <Conversation
          key={attempts}
          person={person}
          open={open}
          onClose={onClose}
          onUnread={onUnread}
          onFail={fail}
        />
      ) : (
        <Loading>Please wait while Tech Support opens.</Loading>
      )}
    </aside>
  );
}

function Conversation({
  person,
  open,
  onClose,
  onUnread,
  onFail,
}: Props & { person: Introduction; onFail: () => void }) {
  const { url } = person;
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  const handleMessage = useEffectEvent((event: MessageEvent) => {
    const message = parseChatEvent(event, frame.current, url);
    if (message?.event === 'loaded') {
      setLoaded(true);
      for (const part of makeIntroduction(person, open))
        frame.current?.contentWindow?.postMessage(part, new URL(url).origin);
    }
    if (message?.event === 'close') onClose();
    if (message?.event === 'unread') onUnread(message.count);
  });
  useEffect(() => {
    const listener = (event: MessageEvent) => handleMessage(event);
    window.addEventListener('message', listener);
    return () => window.removeEventListener('message', listener);
  }, []);

  useEffect(() => {
    if (loaded) frame.current?.contentWindow?.postMessage(makeToggleMessages(open), new URL(url).origin);
  }, [loaded, open, url]);

  useEffect(() => {
    if (loaded) return;
    const timer = setTimeout(onFail, widgetTimeout);
    return () => clearTimeout(timer);
  }, [loaded, onFail]);

  return (
    <>
      {!loaded && <Loading>Please wait while Tech Support opens.</Loading>}
      <iframe
        ref={frame}
        className={styles.frame}
        data-loaded={loaded}
        src={url}
        title="Conversation with Tech Support"
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
      />
    </>
  );
}
