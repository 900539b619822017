import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { z } from 'zod/mini';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { AtDesk } from '@/shared/BillLink';
import { parseCriteria, useInitialState, useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { hasQuestionPrefix, parseQuestionNumber } from '@/shared/questions';
import { formatSupportReason, supportReasons } from '@/shared/supportReasons';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatSince } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { ResultRegion } from '@/ui/form/SearchCard';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { Answers } from './Answers';
import styles from './desk.module.css';
import { OfficeCard } from './OfficeCard';
import {
  type Found,
  findOnlyHit,
  isEmpty,
  type Reason,
  type SupportSession,
  useFind,
  useOpenOffice,
  useOpenUser,
  useStartSupportSession,
  useSupportSession,
} from './queries';
import { Report } from './Report';
import { UserCard } from './UserCard';

/** Finds any number of any office for network staff, who first enter a reason. */
export default function DeskPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Service desk</h1>
        <p className="page-lead">We record everything you open. The office can see who opened it and why.</p>
      </header>
      {can('desk.open') ? <Desk /> : <NotPermitted />}
      {can('desk.report') && <Report />}
    </div>
  );
}

function Desk() {
  const { data: session, isPending, isError, refetch } = useSupportSession();
  const [changing, setChanging] = useState(false);
  const [started, setStarted] = useState(0);
  if (isPending) return <Loading />;
  if (isError) return <Failed onRetry={() => void refetch()} />;
  const stopChanging = () => setChanging(false);
  const onStarted = () => {
    stopChanging();
    setStarted((count) => count + 1);
  };
  if (!session) return <ReasonForm onStarted={onStarted} />;
  return (
    <AtDesk value={true}>
      {changing ? (
        <ReasonForm onStarted={onStarted} onCancel={stopChanging} />
      ) : (
        <SessionBar session={session} onChange={() => setChanging(true)} />
      )}
      {/* Starts again with a session of this tab, not with another tab's. */}
      <FindForm key={started} isHidden={changing} />
    </AtDesk>
  );
}

const SessionBar = ({ session, onChange }: { session: SupportSession; onChange: () => void }) => (
  <div className={`card ${styles.padded} ${styles.bar}`}>
    <p>
      Reason:{' '}
      {[formatSupportReason(session.reason), session.reference, session.text].filter(Boolean).join(', ')},
      since {formatSince(session.since)}
    </p>
    <Button onClick={onChange}>Change</Button>
  </div>
);

/** Asks for the reason, once per support session. */
function ReasonForm({ onStarted, onCancel }: { onStarted: () => void; onCancel?: () => void }) {
  const [reason, setReason] = useState<Reason['reason']>('CALL');
  const [reference, setReference] = useState('');
  const [text, setText] = useState('');
  const begin = useStartSupportSession();
  const problem = begin.error && toProblem(begin.error);
  const getError = (path: string) => {
    const message = problem?.fields.find((field) => field.path === path)?.message;
    return message && `Error: ${message}`;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate({ reason, reference, text }, { onSuccess: onStarted });
  };
  return (
    <section className={`card ${styles.padded}`} aria-labelledby="why">
      <h2 id="why">Reason for access</h2>
      <form className={styles.form} noValidate onSubmit={submit} aria-labelledby="why">
        {problem && (
          <Banner kind="error" focusOn={begin.submittedAt}>
            <p>{problem.message}</p>
          </Banner>
        )}
        <div className="field-grid">
          <SelectInput
            label="Reason"
            options={supportReasons}
            value={reason}
            error={getError('reason')}
            onChange={({ target }) => setReason(target.value as Reason['reason'])}
          />
          <TextInput
            label="Case number"
            required={reason === 'CASE'}
            value={reference}
            error={getError('reference')}
            onChange={({ target }) => setReference(target.value)}
            autoComplete="off"
          />
          <TextInput
            label="Details"
            hint="Don't include bill or claim numbers"
            required={reason === 'OTHER'}
            value={text}
            error={getError('text')}
            onChange={({ target }) => setText(target.value)}
            autoComplete="off"
          />
        </div>
        <div className="button-row">
          <Button type="submit" variant="primary" busy={begin.isPending}>
            Start session
          </Button>
          {onCancel && (
            <Button disabled={begin.isPending} onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

const read = parseCriteria(z.object({ q: z.string() }));

/** While it's hidden, it keeps what was found and opened. */
function FindForm({ isHidden }: { isHidden: boolean }) {
  const { search, start } = useSearchState(read, {});
  const [q, setQ] = useState(search?.criteria.q ?? '');
  const find = useFind();
  const user = useOpenUser();
  const office = useOpenOffice();
  const problem = find.error && toProblem(find.error);
  const refused = user.error ?? office.error;
  const navigate = useNavigate();
  const { can } = useSession();
  const getQuestion = (q = '') => (can('cases.desk') ? parseQuestionNumber(q) : undefined);
  const openOnly = (found: Found, q: string) => {
    const question = isEmpty(found) && getQuestion(q);
    if (question) void navigate(paths.toDeskCase(question));
    const hit = findOnlyHit(found);
    if (hit?.user !== undefined) user.mutate(hit.user);
    if (hit?.office !== undefined) office.mutate(hit.office);
    if (hit?.bill !== undefined) void navigate(paths.toDeskBill(hit.bill));
    if (hit?.remittance !== undefined) void navigate(paths.toDeskRemittance(hit.remittance));
  };
  const runSearch = useEffectEvent((q: string, isNew: boolean) => {
    user.reset();
    office.reset();
    const question = getQuestion(q);
    // Without its C, it can also be the number of a bill or check.
    if (isNew && question && hasQuestionPrefix(q)) return void navigate(paths.toDeskCase(question));
    // Back shows the search again, instead of opening its hit again.
    find.mutate(q, isNew ? { onSuccess: openOnly } : undefined);
  });
  // Another screen's search is new too.
  const submitted = useRef(useInitialState().searchInfo !== undefined);
  useEffect(() => {
    if (search) runSearch(search.criteria.q, submitted.current);
  }, [search]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    submitted.current = true;
    start({ q });
  };
  const openOffice = (id: number) => {
    user.reset();
    office.mutate(id);
  };
  if (isHidden) return null;
  return (
    <>
      <form
        className={`card ${styles.padded} ${styles.search}`}
        noValidate
        onSubmit={submit}
        aria-label="Find"
      >
        <TextInput
          label="Any number, username or email address"
          hint="Bill, check, claim, Tax ID, NPI, question or group number. Enter the Tax ID before a document or patient account number."
          value={q}
          error={problem ? `Error: ${problem.fields[0]?.message ?? problem.message}` : undefined}
          onChange={({ target }) => setQ(target.value)}
          autoComplete="off"
        />
        {/* Accepts another number while the previous search runs. */}
        <Button type="submit" variant="primary" busy={find.isPending && find.variables === q}>
          Find
        </Button>
      </form>
      <div role="status">
        {find.data && (
          <Answers
            found={find.data}
            question={getQuestion(find.variables)}
            onUser={user.mutate}
            onOffice={openOffice}
          />
        )}
      </div>
      {refused && (
        <Banner kind="error">
          <p>{toProblem(refused).message}</p>
        </Banner>
      )}
      {user.data && (
        <ResultRegion run={user.submittedAt} ready>
          <UserCard
            key={user.data.userName}
            card={user.data}
            onOffice={office.mutate}
            onChanged={() => user.mutate(user.data?.userName ?? '')}
          />
        </ResultRegion>
      )}
      {office.data && (
        <ResultRegion run={office.submittedAt} ready>
          <OfficeCard card={office.data} onUser={user.mutate} />
        </ResultRegion>
      )}
    </>
  );
}
