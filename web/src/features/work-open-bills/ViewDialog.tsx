import { useId, useState } from 'react';
import { whyFailed } from '@/shared/whyFailed';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { counted } from '@/ui/counted';
import { Dialog } from '@/ui/Dialog';
import { CheckboxInput, TextInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { wordsOf } from './criteria';
import styles from './openbills.module.css';
import { fasterOf, usePeople, useSaveView, type View, type ViewText, type ViewToSave } from './queries';

const longestName = 60;
const failed = 'Error: The view was not saved. Please try again.';

interface Props {
  title: string;
  view: ViewToSave;
  /** What somebody else made of it meanwhile. */
  faster?: View | null;
  onClose: () => void;
  onSaved: (view: View) => void;
}

/** Names a view and says who sees it; who was slower than somebody else chooses between both. */
export function ViewDialog({ title, view, faster = null, onClose, onSaved }: Props) {
  const [text, setText] = useState<ViewToSave>(view);
  const [theirs, setTheirs] = useState(faster);
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
    if (text.name.trim() === '') return setProblem('Error: Give the view a name.');
    if (text.name.trim().length > longestName)
      return setProblem(`Error: A name has at most ${longestName} characters.`);
    try {
      const saved = await save.mutateAsync({ ...text, version });
      toast.success(`${saved.name} is saved.`);
      onSaved(saved);
    } catch (error) {
      const now = fasterOf(error);
      if (now) return setTheirs(now);
      setProblem(whyFailed(error, failed));
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
        // What is wrong a second time is said a second time.
        <Banner key={tries} kind="error">
          <p>{problem}</p>
        </Banner>
      )}
      {theirs ? (
        <Both theirs={theirs} mine={text} />
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
            label="A tab above the list"
            checked={text.pinned}
            onChange={({ target }) => change({ pinned: target.checked })}
          />
          <CheckboxInput
            label="Everyone in my group sees it"
            hint="Each sees the bills of their own Tax IDs. You and the group's administrators can change it."
            checked={text.shared}
            onChange={({ target }) => change({ shared: target.checked })}
          />
        </form>
      )}
    </Dialog>
  );
}

/** What somebody else made of the view, beside what one would make of it. */
function Both({ theirs, mine }: { theirs: View; mine: ViewText }) {
  const { data: people = [] } = usePeople();
  const nameOf = (userName: string) =>
    people.find((person) => person.userName === userName)?.name ?? userName;
  const lines = ({ name, shared, pinned, definition }: ViewText) => (
    <ul>
      <li>{name}</li>
      <li>{wordsOf(definition.filter, nameOf)}</li>
      <li>
        {definition.columns ? counted(definition.columns.length, 'column') : 'all columns'}
        {definition.order === 'newest' && ', the newest first'}
        {definition.compact && ', compact rows'}
      </li>
      <li>
        {shared ? 'seen by the group' : 'seen by its owner'}
        {pinned && ', a tab'}
      </li>
    </ul>
  );
  return (
    <div className={styles.both}>
      <Banner kind="warning">
        <p>{theirs.updatedBy} has changed this view meanwhile.</p>
      </Banner>
      <section>
        <h3>As it is now</h3>
        {lines(theirs)}
      </section>
      <section>
        <h3>As you would save it</h3>
        {lines(mine)}
      </section>
    </div>
  );
}
