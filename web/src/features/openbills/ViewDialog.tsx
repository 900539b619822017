import { useId, useState } from 'react';
import { usePeople } from '@/shared/billWork';
import { errorMessage } from '@/shared/errorMessage';
import type { View } from '@/shared/savedViews';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckboxInput, TextInput } from '@/ui/form/inputs';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { describeFilter } from './criteria';
import styles from './openbills.module.css';
import { getOrder, orderTexts } from './order';
import { getStoredView, useSaveView, type ViewText, type ViewToSave } from './queries';

const maxName = 60;
const failed = "Error: Couldn't save the view. Try again.";

interface Props {
  title: string;
  view: ViewToSave;
  /** Another user's version, saved first. */
  newer?: View | null;
  onClose: () => void;
  onSaved: (view: View) => void;
}

/**
 * Names a view and sets who can see it. After a conflict, the user selects one of both versions.
 */
export function ViewDialog({ title, view, newer = null, onClose, onSaved }: Props) {
  const [text, setText] = useState<ViewToSave>(view);
  const [theirs, setTheirs] = useState(newer);
  const [problem, setProblem] = useState('');
  const [tries, setTries] = useState(0);
  const save = useSaveView();
  const id = useId();
  const change = (part: Partial<ViewToSave>) => {
    setProblem('');
    setText({ ...text, ...part });
  };
  const submit = async (version = text.version) => {
    setProblem('');
    setTries(tries + 1);
    if (text.name.trim() === '') return setProblem('Error: Enter a name');
    if (text.name.trim().length > maxName) return setProblem(`Error: Use ${maxName} characters or fewer`);
    try {
      const saved = await save.mutateAsync({ ...text, version });
      toast.success(`${saved.name} saved`);
      onSaved(saved);
    } catch (error) {
      const now = getStoredView(error);
      if (now) return setTheirs(now);
      setProblem(errorMessage(error, failed));
    }
  };
  return (
    <Dialog
      open
      title={title}
      onClose={save.isPending ? undefined : onClose}
      actions={
        theirs ? (
          <>
            <Button disabled={save.isPending} onClick={() => onSaved(theirs)}>
              Keep theirs
            </Button>
            <Button variant="primary" busy={save.isPending} onClick={() => void submit(theirs.version)}>
              Save mine
            </Button>
          </>
        ) : (
          <>
            <Button disabled={save.isPending} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={id} variant="primary" busy={save.isPending}>
              Save
            </Button>
          </>
        )
      }
    >
      {problem && (
        // A repeated problem is announced again.
        <Banner key={tries} kind="error">
          <p>{problem}</p>
        </Banner>
      )}
      {theirs ? (
        <Comparison theirs={theirs} mine={text} />
      ) : (
        <form
          id={id}
          className={styles.ask}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextInput
            label="Name"
            required
            autoComplete="off"
            value={text.name}
            onChange={({ target }) => change({ name: target.value })}
          />
          <CheckboxInput
            label="Show as a tab"
            checked={text.pinned}
            onChange={({ target }) => change({ pinned: target.checked })}
          />
          <CheckboxInput
            label="Share with my group"
            hint="Each person sees only bills for their own Tax IDs. You and group administrators can edit the view."
            checked={text.shared}
            onChange={({ target }) => change({ shared: target.checked })}
          />
        </form>
      )}
    </Dialog>
  );
}

/** Another user's version of the view, next to this user's. */
function Comparison({ theirs, mine }: { theirs: View; mine: ViewText }) {
  const { data: people = [] } = usePeople();
  const formatName = (userName: string) =>
    people.find((person) => person.userName === userName)?.name ?? userName;
  const renderLines = ({ name, shared, pinned, definition }: ViewText) => (
    <ul>
      <li>{name}</li>
      <li>{describeFilter(definition.filter, formatName)}</li>
      <li>
        {definition.columns ? pluralize(definition.columns.length, 'column') : 'all columns'},{' '}
        {orderTexts[getOrder(definition)]}
        {definition.compact && ', compact rows'}
      </li>
      <li>
        {shared ? 'shared with the group' : 'private'}
        {pinned && ', shown as a tab'}
      </li>
    </ul>
  );
  return (
    <div className={styles.both}>
      <Banner kind="warning">
        <p>{theirs.updatedBy} changed this view while you were editing.</p>
      </Banner>
      <section>
        <h3>Current version</h3>
        {renderLines(theirs)}
      </section>
      <section>
        <h3>Your version</h3>
        {renderLines(mine)}
      </section>
    </div>
  );
}
