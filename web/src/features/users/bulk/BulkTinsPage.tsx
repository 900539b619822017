import { createLink } from '@tanstack/react-router';
import { type SubmitEvent, useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import type { ChosenUser } from '@/shared/accounts';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { errorMessage } from '@/shared/errorMessage';
import { useHistoryState, useReturnTo } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { useGroupTins, useTinColumn } from '@/shared/tins';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { RadioGroupInput, TextAreaInput, TextInput } from '@/ui/form/inputs';
import { ResultRegion } from '@/ui/form/SearchCard';
import { formatCount } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { DataTable } from '@/ui/table/DataTable';
import { findTinsProblem, kinds, maxTins, parseTins } from './bulkTins';
import { Outcomes } from './Outcomes';
import { type Answer, type Change, useAccountTins, useChangeMany, usePreview } from './queries';
import styles from './users.module.css';

const failed = 'Error: An error has occurred. Please try again or contact Customer Service.';
const ButtonToRoute = createLink(LinkButton);

/** Assigns or removes TINs for many users: first a preview, then the change. */
export default function BulkTinsPage() {
  const { can, mirroredUser, routes } = useSession();
  const { chosen = [] } = useHistoryState();
  return (
    <div className="page">
      <header>
        <h1>Bulk TIN update</h1>
        <p className="page-lead">
          Add or remove Tax IDs for the selected users. You can preview the changes first.
        </p>
      </header>
      {!can('users.many') ? (
        <NotPermitted />
      ) : mirroredUser ? (
        <Banner kind="info">You can't make changes while mirroring. Use Revert first.</Banner>
      ) : chosen.length === 0 ? (
        <section className={`card card-body ${styles.form}`} aria-label="No users">
          <p>No users selected. Select users in a user list, then use Change TINs.</p>
          <div className="button-row">
            <ButtonToRoute to={routes.includes('UserSearch') ? paths.userSearch : paths.manageUsers}>
              {routes.includes('UserSearch') ? 'User Search' : 'Manage Users'}
            </ButtonToRoute>
          </div>
        </section>
      ) : (
        <Changing chosen={chosen} />
      )}
    </div>
  );
}

function Changing({ chosen }: { chosen: ChosenUser[] }) {
  const back = useBack();
  const [change, setChange] = useState<Change['change']>('give');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [shown, setShown] = useState<{ answer: Answer; run: number } | null>(null);
  const preview = usePreview();
  const changing = useChangeMany();
  useUnsavedChanges(text !== '' && !shown?.answer.done);

  const failure = preview.error ?? changing.error;
  /** The preview no longer matches the input. */
  const resetPreview = () => {
    setShown(null);
    setProblem(undefined);
    preview.reset();
    changing.reset();
  };
  const changeText = (text: string) => {
    setText(text);
    resetPreview();
  };
  const show = (answer: Answer) => setShown({ answer, run: (shown?.run ?? 0) + 1 });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = findTinsProblem(text);
    setProblem(found);
    if (found) return;
    changing.reset();
    preview.mutate(
      { change, ftins: parseTins(text).tins, userNames: chosen.map(({ userNm }) => userNm) },
      { onSuccess: show },
    );
  };

  return (
    <>
      <form className={styles.parts} noValidate onSubmit={submit} aria-labelledby="what">
        <div className={`card card-body ${styles.form}`}>
          <h2 id="what">Changes</h2>
          <details className={styles.chosen}>
            <summary>
              {formatCount(chosen.length)} {chosen.length === 1 ? 'user' : 'users'} selected
            </summary>
            <ul>
              {chosen.map(({ userNm, name }) => (
                <li key={userNm}>{name}</li>
              ))}
            </ul>
          </details>
          <RadioGroupInput
            label="Action"
            name="change"
            options={kinds}
            value={change}
            onChange={(value) => {
              setChange(value as Change['change']);
              resetPreview();
            }}
          />
          <CopyFrom onTins={(tins) => changeText(tins.join('\n'))} />
          <TextAreaInput
            label="Tax IDs (TINs)"
            required
            hint={`One per line, or separated by commas. Up to ${maxTins}.`}
            error={problem}
            value={text}
            onChange={({ target }) => changeText(target.value)}
            rows={6}
            spellCheck={false}
            autoComplete="off"
            className={styles.tins}
          />
        </div>
        <GroupTins chosen={chosen} text={text} onText={changeText} />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={preview.isPending}>
            Preview changes
          </Button>
          <Button onClick={back}>Back</Button>
        </div>
      </form>
      {failure && (
        <Banner kind="error" focusOn={failure.message}>
          {errorMessage(failure, failed)}
        </Banner>
      )}
      {shown && (
        <ResultRegion run={shown.run} ready>
          <Outcomes answer={shown.answer}>
            <ConfirmChange
              answer={shown.answer}
              busy={changing.isPending}
              onDo={(asked) => changing.mutate(asked, { onSuccess: show })}
            />
          </Outcomes>
        </ResultRegion>
      )}
    </>
  );
}

/** Returns to the list where the users were selected. */
function useBack() {
  const lead = useReturnTo();
  const { admin, searchInfo, groupId, list, marked } = useHistoryState();
  return () =>
    lead(
      admin
        ? { to: paths.userSearch, state: { searchInfo, marked } }
        : { to: paths.manageUsers, state: { groupId, list, searchInfo, marked } },
    );
}

/** Runs the previewed change, or the rest of it. */
function ConfirmChange({
  answer,
  busy,
  onDo,
}: {
  answer: Answer;
  busy: boolean;
  onDo: (asked: Change) => void;
}) {
  const { asked, done, outcomes } = answer;
  const open = outcomes.filter(({ outcome }) => outcome === (done ? 'left' : 'done'));
  if (open.length === 0) return null;
  const verb = kinds.find(({ value }) => value === asked.change)?.verb;
  return (
    <Button
      variant="primary"
      busy={busy}
      onClick={() => onDo({ ...asked, userNames: open.map(({ userNm }) => userNm) })}
    >
      {done ? 'Continue with the rest' : `${verb}: ${pluralize(open.length, 'user')}`}
    </Button>
  );
}

/** Copies the TINs of another account. */
function CopyFrom({ onTins }: { onTins: (tins: string[]) => void }) {
  const [name, setName] = useState('');
  const [result, setResult] = useState<{ error?: string; note?: string }>({});
  const tins = useAccountTins();
  const copy = () => {
    const userName = name.trim();
    if (!userName) return setResult({ error: 'Enter a username.' });
    tins.mutate(userName, {
      onSuccess: (list) => {
        if (list.length === 0) return setResult({ error: `${userName} doesn't have any TINs.` });
        setResult({
          note: `${pluralize(list.length, 'TIN')} copied from ${userName}.`,
        });
        onTins(list);
      },
      onError: (error) => {
        const problem = toProblem(error);
        setResult({
          error:
            problem.status === 404
              ? "Error: We couldn't find that account among those you manage."
              : addRetryTime(failed, problem),
        });
      },
    });
  };
  return (
    <div className={styles.copy}>
      <TextInput
        label="Copy TINs from an account"
        hint="Enter a username. This replaces the TINs below."
        error={result.error}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          setResult({});
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // don't submit the whole form
          copy();
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <Button busy={tins.isPending} onClick={copy}>
        Copy
      </Button>
      <p role="status">{result.note}</p>
    </div>
  );
}

/** The TINs of the group that all users share, to select from. */
function GroupTins({
  chosen,
  text,
  onText,
}: {
  chosen: ChosenUser[];
  text: string;
  onText: (text: string) => void;
}) {
  const groups = new Set(chosen.map(({ groupId }) => groupId));
  const [groupId] = groups;
  const one = groups.size === 1 && typeof groupId === 'number';
  const tins = useGroupTins(one ? groupId : 0, one);
  const rows = tins.data ?? noTins;
  const tinColumn = useTinColumn('ftin', 'Tax ID (TIN)', rows);
  const columns = useMemo(() => [tinColumn], [tinColumn]);
  if (!one) return null;
  const typed = parseTins(text);
  const [ofGroup, others] = [
    typed.tins.filter((tin) => rows.some(({ ftin }) => ftin === tin)),
    typed.tins.filter((tin) => rows.every(({ ftin }) => ftin !== tin)),
  ];
  return (
    <DataTable
      title="Group TINs"
      columns={columns}
      rows={rows}
      rowId={({ ftin }) => ftin}
      status={tins.isPending ? 'loading' : tins.isError ? 'failed' : 'ready'}
      onRetry={() => void tins.refetch()}
      initial={{ sort: { id: 'ftin', desc: false } }}
      selection={{
        selected: new Set(ofGroup),
        onChange: (selected) => onText([...typed.wrong, ...others, ...selected].join('\n')),
        label: ({ ftin }) => ftin,
      }}
    />
  );
}

const noTins: { ftin: string }[] = [];
