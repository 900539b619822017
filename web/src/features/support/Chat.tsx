import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { useMedia } from '@/ui/useMedia';
import { ChatPanel } from './ChatPanel';
import styles from './ChatPanel.module.css';

interface ChatState {
  open: boolean;
  unread: number;
  toggle: (button: HTMLElement) => void;
}

const ChatContext = createContext<ChatState | null>(null);

/** The signed-in user's live chat; null if it's not configured. */
export const useChat = () => useContext(ChatContext);

/** The live chat's context. It loads on first use, and preserves the conversation when closed. */
export function Chat({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const [isLoaded, setLoaded] = useState(false);
  const [open, setOpen] = useState(false);
  const [unread, setUnread] = useState(0);
  const button = useRef<HTMLElement>(null);
  // Same as in ChatPanel.module.css.
  const covers = useMedia('(max-width: 30rem), (max-height: 25rem)');

  if (!getConfig().liveChat || !can('support.chat')) return children;

  const close = () => {
    // The page can take the focus again only after this render.
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  const toggle = (clicked: HTMLElement) => {
    button.current = clicked;
    setLoaded(true);
    setOpen(!open);
  };
  return (
    <ChatContext value={{ open, unread, toggle }}>
      {/* In a small window the panel covers the page, so the focus must not enter the page. */}
      <div className={styles.page} inert={open && covers}>
        {children}
      </div>
      {isLoaded && <ChatPanel open={open} onClose={close} onUnread={setUnread} />}
    </ChatContext>
  );
}
