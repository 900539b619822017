import { useChat } from '@/features/support/Chat';
import { chatPanelId } from '@/features/support/ChatPanel';
import { ChatIcon } from '@/ui/icons';
import bell from './Bell.module.css';
import styles from './Header.module.css';

/** Opens and closes live chat, where it's configured. Narrow windows show an icon only. */
export function ChatButton() {
  const chat = useChat();
  if (!chat) return null;
  const { open, unread, toggle } = chat;
  return (
    <button
      type="button"
      className={styles.labelled}
      aria-expanded={open}
      aria-controls={chatPanelId}
      onClick={({ currentTarget }) => toggle(currentTarget)}
    >
      <ChatIcon />
      <span>Tech Support</span>
      {unread > 0 && (
        <>
          <span className={bell.badge} aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
          <span className="visually-hidden">{`${unread} unread`}</span>
        </>
      )}
    </button>
  );
}
