import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { config } from '@/api/config';
import { useSession } from '@/api/session';
import { ChatPanel } from './ChatPanel';

interface ChatState {
  open: boolean;
  unread: number;
  toggle: (button: HTMLElement) => void;
}

const ChatContext = createContext<ChatState | null>(null);

/** The live chat of whoever is signed in; null where there is none. */
export const useChat = () => useContext(ChatContext);

/** Holds the live chat. Nothing of it loads before somebody asks for it; closed, it keeps the conversation. */
export function Chat({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const [unread, setUnread] = useState(0);
  const button = useRef<HTMLElement>(null);

  if (!config().liveChat || !can('support.chat')) return children;

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const toggle = (clicked: HTMLElement) => {
    button.current = clicked;
    setWanted(true);
    setOpen(!open);
  };
  return (
    <ChatContext value={{ open, unread, toggle }}>
      {children}
      {wanted && <ChatPanel open={open} onClose={close} onUnread={setUnread} />}
    </ChatContext>
  );
}
