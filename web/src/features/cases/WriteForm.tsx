import { useEffect, useEffectEvent, useState } from 'react';
import { CopyButton } from '@/shared/CopyButton';
import { errorMessage } from '@/shared/errorMessage';
import { useDraft } from '@/shared/useDraft';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { TextAreaInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { type CaseThread, checkText } from './cases';
import styles from './cases.module.css';
import { FileField, useCaseFiles } from './FileField';
import { SavedReply } from './SavedReply';
import { useErrorFocus } from './useErrorFocus';

/** A text, its key, and what was last sent with the key. After a reload, the same content has the same key. */
const emptyText = { body: '', requestKey: '', sent: '' };

type TextDraft = ReturnType<typeof useTextDraft>;

/**
 * An unsent text for a question, stored under a name. If the question has it although the response was lost, it's
 * cleared. `onCleared` gets the button that sent it.
 */
export function useTextDraft(
  storageName: string,
  { entries }: CaseThread,
  onCleared?: (submit: string) => void,
) {
  const draft = useDraft(storageName, emptyText);
  const [busy, setBusy] = useState('');
  const [cleared, setCleared] = useState(0);
  const { body, requestKey, sent } = draft.values;
  const isStored = !busy && requestKey !== '' && entries.some((entry) => entry.requestKey === requestKey);
  const clear = useEffectEvent(() => {
    const [submit, written] = JSON.parse(sent);
    if (written.body !== body) return; // it was changed since
    draft.set(emptyText);
    onCleared?.(submit);
    setCleared(cleared + 1);
    toast.success('Your text was sent');
  });
  useEffect(() => {
    if (isStored) clear();
  }, [isStored]);
  // Another text's form has its own files.
  return { ...draft, busy, setBusy, key: `${storageName} ${cleared}` };
}

interface Written {
  requestKey: string;
  body: string;
  files: number[];
}

interface Send {
  submit: string;
  /** Sends the text and the files. The form keeps them if that fails. */
  send: (written: Written) => Promise<unknown>;
  sent: string;
  /** Checks the caller's fields, shows their errors, and reports whether they are valid. */
  check?: () => boolean;
}

interface Props extends Send {
  /** The unsent text. The screen stores it, because the form disappears when the question is answered. */
  draft: TextDraft;
  label: string;
  empty: string;
  failed: string;
  isAtDesk?: boolean;
  /** Another button is the main one. */
  isSecond?: boolean;
  /** Other buttons that send the same text elsewhere. */
  others?: Send[];
}

/** A text with files to add to a question. Ctrl+Enter sends it. */
export const WriteForm = (props: Props) => <Form key={props.draft.key} {...props} />;

function Form({
  draft: { values, set, clear, guard, busy, setBusy },
  label,
  empty,
  failed,
  isAtDesk = false,
  isSecond = false,
  others = [],
  ...first
}: Props) {
  const { body } = values;
  const [error, setError] = useState('');
  const files = useCaseFiles(isAtDesk);
  const { form, focus } = useErrorFocus();
  const change = (text: string) => {
    if (!text) files.forgetUploads();
    set(text ? { body: text } : emptyText);
    setError('');
  };
  async function run({ submit, send, sent, check }: Send) {
    if (busy) return;
    const wrong = checkText(body.trim(), empty);
    setError(wrong ?? '');
    const isComplete = check?.() ?? true;
    if (wrong || !isComplete) return focus();
    setBusy(submit);
    const getContent = (ids: (number | undefined)[]) => JSON.stringify([submit, { body, files: ids }]);
    if (values.sent && values.sent !== getContent(files.getUploadedIds())) files.forgetUploads();
    try {
      const written = { body, files: await files.upload() };
      const content = getContent(written.files);
      const requestKey = values.sent === content ? values.requestKey : crypto.randomUUID();
      set({ requestKey, sent: content });
      await send({ ...written, requestKey });
      clear();
      files.clear();
      toast.success(sent);
    } catch (problem) {
      toast.error(errorMessage(problem, failed));
    } finally {
      setBusy('');
    }
  }
  return (
    <form
      ref={form}
      noValidate
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        void run(first);
      }}
    >
      {guard}
      {isAtDesk && (
        <SavedReply
          disabled={busy !== ''}
          onSelect={(reply) => change(body.trim() ? `${body.trimEnd()}\n\n${reply}` : reply)}
        />
      )}
      <TextAreaInput
        label={label}
        value={body}
        rows={5}
        readOnly={busy !== ''}
        error={error || undefined}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void run(first);
        }}
      />
      <FileField files={files} disabled={busy !== ''} />
      <div className="button-row">
        <Button type="submit" variant={isSecond ? undefined : 'primary'} busy={busy === first.submit}>
          {first.submit}
        </Button>
        {others.map((other) => (
          <Button key={other.submit} busy={busy === other.submit} onClick={() => void run(other)}>
            {other.submit}
          </Button>
        ))}
      </div>
    </form>
  );
}

interface UnsentTextProps {
  draft: TextDraft;
  what: 'answer' | 'reply';
  /** What happened to the question first. */
  happened: string;
  /** Another form follows in the same card. */
  isFirst?: boolean;
}

/** A text that can't be sent any longer. */
export const UnsentText = ({ draft: { values, clear, guard }, what, happened, isFirst }: UnsentTextProps) => (
  <>
    {guard}
    {values.body && (
      <section aria-label={`Your unsent ${what}`} className={isFirst ? styles.unsent : `card ${styles.card}`}>
        <Banner kind="warning">
          <p>
            The question was {happened} first, so your {what} wasn't sent:
          </p>
        </Banner>
        <p className={styles.body}>{values.body}</p>
        <div className="button-row">
          <CopyButton text={values.body} what={what} />
          <Button size="small" onClick={clear}>
            Discard
          </Button>
        </div>
      </section>
    )}
  </>
);
