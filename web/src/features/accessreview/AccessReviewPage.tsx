import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { useSession } from '@/api/session';
import { useAccessReviews } from '@/shared/accessReviews';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { applyServerErrors } from '@/shared/applyServerErrors';
import { errorMessage } from '@/shared/errorMessage';
import { useTableState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { addDays, formatBusinessDate, formatDate, today } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './accessreview.module.css';
import {
  fetchAccount,
  getFileUrl,
  lastAdmin,
  type Person,
  type Review,
  useAnswer,
  useFinish,
  useReviewedPeople,
  useTerminate,
} from './queries';

/** The quarterly review of users with access to the group's bills. */
export default function AccessReviewPage() {
  const { can, mirroredUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Access review</h1>
        <p className="page-lead">Review who has access to your bills each quarter.</p>
      </header>
      {can('access.review') && mirroredUser && (
        <Banner kind="info">You can view this but not change it while mirroring.</Banner>
      )}
      {can('access.review') ? <Reviews /> : <NotPermitted />}
    </div>
  );
}

function Reviews() {
  const { mirroredUser } = useSession();
  const { data, isPending, refetch } = useAccessReviews();
  if (isPending) return <Loading />;
  if (!data) return <Failed onRetry={() => void refetch()} />;
  const open = data.reviews.find(({ finishedAt }) => !finishedAt);
  const { people, unanswered, overdue, countedTo } = data;
  return (
    <div className={styles.reviews}>
      {open ? (
        <>
          <Banner kind={overdue ? 'warning' : 'info'}>
            <p>
              {pluralize(people, 'user')} can see your bills.{' '}
              {overdue
                ? `Your review was due ${formatDate(open.dueOn)}.`
                : `Review each by ${formatDate(open.dueOn)}.`}{' '}
              {unanswered > 0
                ? `${unanswered} left to review.`
                : mirroredUser
                  ? 'All reviewed.'
                  : 'All reviewed. Finish the review below.'}
            </p>
          </Banner>
          <People countedTo={countedTo} />
          {unanswered === 0 && <Finish review={open} />}
        </>
      ) : (
        <Banner kind="success">
          <p>No open review. The next one starts {formatNextStart(data.reviews)}.</p>
        </Banner>
      )}
      <Finished reviews={data.reviews.filter(({ finishedAt }) => finishedAt)} />
    </div>
  );
}

/** The next review starts the day after the newest one is due. After an overdue one, the hourly job starts it. */
function formatNextStart([newest]: Review[]) {
  return newest && newest.dueOn >= today() ? formatDate(addDays(newest.dueOn, 1)) : 'within an hour';
}

const longAway = 90;

/** Returns the days since the last sign-in; undefined before the first one. */
const countDaysAway = ({ lastSignIn }: Person) =>
  lastSignIn === undefined ? undefined : Math.floor((Date.now() - Date.parse(lastSignIn)) / 86_400_000);

const typeNames = { PRAD: 'Provider Admin', PRUS: 'Provider User' };

const outcomes = {
  '': ['To review', 'warning'],
  KEPT: ['Kept', 'success'],
  ENDED: ['Access ended', 'neutral'],
} as const;
const formatOutcome = ({ outcome }: Person) => outcomes[outcome];

const readOnly: Column<Person>[] = [
  {
    id: 'name',
    header: 'Name',
    lead: true,
    value: ({ name }) => name,
    wrap: true,
    minWidth: '10rem',
    cell: (person) => {
      const days = countDaysAway(person);
      return (
        <>
          {person.name}
          {days === undefined && (
            <>
              {' '}
              <Chip kind="warning">Never signed in</Chip>
            </>
          )}
          {days !== undefined && days > longAway && (
            <>
              {' '}
              <Chip kind="warning">Not signed in for {days} days</Chip>
            </>
          )}
        </>
      );
    },
  },
  { id: 'userName', header: 'Username', value: ({ userName }) => userName },
  { id: 'type', header: 'Type', value: ({ typeCd }) => typeNames[typeCd] },
  { id: 'tins', header: 'TINs', value: ({ tins }) => tins, align: 'end' },
  {
    id: 'lastSignIn',
    header: 'Last sign-in',
    value: ({ lastSignIn }) => lastSignIn,
    text: ({ lastSignIn }) => (lastSignIn ? formatBusinessDate(lastSignIn) : 'Never'),
  },
  { id: 'opened', header: 'Bills opened', value: ({ opened }) => opened, align: 'end' },
  {
    id: 'answer',
    header: 'Decision',
    value: (person) => formatOutcome(person)[0],
    cell: (person) => <Chip kind={formatOutcome(person)[1]}>{formatOutcome(person)[0]}</Chip>,
  },
];

function People({ countedTo }: { countedTo: string }) {
  const { actingUser, mirroredUser } = useSession();
  const navigate = useNavigate();
  const { table, setTable } = useTableState({});
  const [ending, setEnding] = useState<Person | null>(null);
  const { shown } = useReviewedPeople(table);
  const {
    mutate: save,
    isPending,
    variables,
  } = useAnswer((error) =>
    toast.error(errorMessage(error, "Error: Couldn't save your decision. Try again.")),
  );
  const { mutate: end, isPending: ends } = useTerminate();
  const columns: Column<Person>[] = mirroredUser
    ? readOnly
    : [
        ...readOnly,
        {
          id: 'keep',
          header: 'Keep',
          value: () => '',
          sortable: false,
          filterable: false,
          exported: false,
          cell: (person) =>
            person.outcome !== 'ENDED' && (
              <Button
                size="small"
                busy={isPending && variables.person.id === person.id}
                onClick={() => save({ person, kept: person.outcome === '' })}
              >
                {person.outcome === '' ? 'Keep' : 'Undo'}
                <span className="visually-hidden"> {person.name}</span>
              </Button>
            ),
        },
      ];
  async function openTins(person: Person) {
    const groupId = actingUser.grpInfoId;
    const user = await fetchAccount(groupId ?? 0, person).catch(() => undefined);
    if (user) await navigate({ to: paths.manageTinsForUser, state: { user, groupId } });
    else toast.error("Couldn't load the account. Try again.");
  }
  const confirmEnd = (person: Person) =>
    end(person, {
      onSuccess: (result) =>
        result === lastAdmin
          ? toast.error("You can't end this account's access because the group has no other Admin.")
          : toast.success(`Access ended for ${person.name}`),
      onError: (error) =>
        toast.error(addRetryTime("Error: Couldn't end access. Try again.", toProblem(error))),
      onSettled: () => setEnding(null),
    });
  return (
    <>
      <DataTable
        title="Users"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No users have access."
        rowMenu={{
          menu: ActionMenu,
          actions: mirroredUser
            ? undefined
            : (person) => {
                if (person.outcome === 'ENDED') return [];
                const fewerTins = { label: 'Remove TINs', onSelect: () => void openTins(person) };
                const endAccess = { label: 'End access', onSelect: () => setEnding(person) };
                return [
                  ...(person.typeCd === 'PRUS' ? [fewerTins] : []),
                  ...(person.id === actingUser.id ? [] : [endAccess]),
                ];
              },
          label: ({ name }) => name,
          header: 'Actions',
        }}
        exportMenu={{ menu: ActionMenu, fileName: 'AccessReview' }}
      />
      <p className="page-lead">
        Bills opened in the past 90 days, counted once per day
        {countedTo ? `, through ${formatDate(countedTo)}` : '. Updated nightly'}.
      </p>
      {ending && (
        <ConfirmDialog
          open
          title={`End access for ${ending.name}?`}
          confirmLabel="End access"
          destructive
          cancelLabel="Cancel"
          busy={ends}
          onConfirm={() => confirmEnd(ending)}
          onCancel={() => setEnding(null)}
        >
          <p>This terminates the account. You can't undo this.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const kinds = { name: line(200) };
const schema = z.object({
  name: boundedText(kinds.name).check(z.refine((name) => name !== '', { error: 'Error: Enter your name' })),
});

/** Reviewers type their name to finish the review. */
function Finish({ review }: { review: Review }) {
  const { mirroredUser } = useSession();
  const form = useForm({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { name: '' },
  });
  const { mutateAsync } = useFinish();
  if (mirroredUser) return null;
  const submit = form.handleSubmit(async ({ name }) => {
    try {
      await mutateAsync({ id: review.id, name });
      toast.success('Review completed');
    } catch (error) {
      applyServerErrors(form, error, "Error: Couldn't finish the review. Try again.");
    }
  });
  return (
    <form className="card" noValidate onSubmit={submit} aria-labelledby="finish">
      <div className={styles.form}>
        <h2 id="finish">Finish the review</h2>
        <FormBanner form={form} />
        <TextField
          control={form.control}
          name="name"
          label="Your first and last name"
          required
          kind={kinds.name}
          autoComplete="off"
          hint="By signing, you confirm that everyone kept needs access to your group's bills."
        />
        <div>
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Finish
          </Button>
        </div>
      </div>
    </form>
  );
}

const reviewColumns: Column<Review>[] = [
  {
    id: 'due',
    header: 'Due',
    lead: true,
    value: ({ dueOn }) => dueOn,
    text: ({ dueOn }) => formatDate(dueOn),
  },
  {
    id: 'finished',
    header: 'Completed',
    value: ({ finishedAt }) => finishedAt,
    text: ({ finishedAt }) => formatBusinessDate(finishedAt),
  },
  { id: 'by', header: 'Completed by', value: ({ finishedBy }) => finishedBy },
  {
    id: 'file',
    header: 'Document',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    cell: (review) => (
      <LinkButton size="small" href={getFileUrl(review)} target="_blank" rel="noopener noreferrer">
        PDF<span className="visually-hidden"> of the review due on {formatDate(review.dueOn)}</span>
      </LinkButton>
    ),
  },
];

const Finished = ({ reviews }: { reviews: Review[] }) =>
  reviews.length > 0 && (
    <DataTable
      title="Completed reviews"
      columns={reviewColumns}
      rows={reviews}
      rowId={({ id }) => String(id)}
    />
  );
