import { useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { TextAreaInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { checkText } from './cases';
import styles from './cases.module.css';

interface Props {
  label: string;
  submit: string;
  empty: string;
  /** Sends the text. The field keeps it if that fails. */
  send: (body: string) => Promise<unknown>;
  failed: string;
  sent: string;
  /** Another button that sends the same text elsewhere. */
  second?: { submit: string; send: (body: string) => Promise<unknown>; sent: string };
}

/** A text to add to a question. Ctrl+Enter sends it. */
export function WriteForm({ label, submit, empty, send, failed, sent, second }: Props) {
  const [body, setBody] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState('');
  async function run(name: string, how: Props['send'], done: string) {
    if (busy) return;
    const wrong = checkText(body.trim(), empty);
    setError(wrong ?? '');
    if (wrong) return;
    setBusy(name);
    try {
      await how(body);
      setBody('');
      setError('');
      toast.success(done);
    } catch (problem) {
      toast.error(errorMessage(problem, failed));
    } finally {
      setBusy('');
    }
  }
  return (
    <form
      noValidate
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        void run('first', send, sent);
      }}
    >
      <TextAreaInput
        label={label}
        value={body}
        rows={5}
        error={error || undefined}
        onChange={({ target }) => {
          setBody(target.value);
          setError('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void run('first', send, sent);
        }}
      />
      <div className="button-row">
        <Button type="submit" variant="primary" busy={busy === 'first'}>
          {submit}
        </Button>
        {second && (
          <Button busy={busy === 'second'} onClick={() => void run('second', second.send, second.sent)}>
            {second.submit}
          </Button>
        )}
      </div>
    </form>
  );
}
