import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useSession } from '@/api/session';
import { AtDesk, BillLink, RemittanceLink } from '@/shared/BillLink';
import { refusal } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate, formatInstant, formatInstantTime } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { formatMoney, formatTin } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import {
  type Card,
  type Found,
  type Reason,
  type Sitting,
  useBegin,
  useFind,
  useOpenUser,
  useSitting,
} from './queries';

/** Any number of any office, for the network's staff, who say first why they look. */
export default function DeskPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Service desk</h1>
        <p className="page-lead">Each opening is written down, and the office can read who looked and why.</p>
      </header>
      {can('desk.open') ? <Desk /> : <NotPermitted />}
    </div>
  );
}

function Desk() {
  const { data: sitting, isPending, isError, refetch } = useSitting();
  const [changing, setChanging] = useState(false);
  if (isPending) return <Loading />;
  if (isError) return <Failed onRetry={() => void refetch()} />;
  if (!sitting || changing) return <Why onSaid={() => setChanging(false)} />;
  return (
    <AtDesk value={true}>
      <Bar sitting={sitting} onChange={() => setChanging(true)} />
      <Look />
    </AtDesk>
  );
}

const reasons: { value: Reason['reason']; label: string }[] = [
  { value: 'CALL', label: 'Call' },
  { value: 'CASE', label: 'Case' },
  { value: 'FEED', label: 'Feed check' },
  { value: 'COMPLAINT', label: 'Complaint' },
  { value: 'OTHER', label: 'Other' },
];

const Bar = ({ sitting, onChange }: { sitting: Sitting; onChange: () => void }) => (
  <div className={`card ${styles.padded} ${styles.bar}`}>
    <p>
      Reason:{' '}
      {[
        reasons.find(({ value }) => value === sitting.reason)?.label.toLowerCase(),
        sitting.reference,
        sitting.text,
      ]
        .filter(Boolean)
        .join(', ')}
      , since {formatInstantTime(sitting.since)}
    </p>
    <Button onClick={onChange}>Change</Button>
  </div>
);

/** Asks why, once for a sitting. */
function Why({ onSaid }: { onSaid: () => void }) {
  const [reason, setReason] = useState<Reason['reason']>('CALL');
  const [reference, setReference] = useState('');
  const [text, setText] = useState('');
  const begin = useBegin();
  const problem = begin.error && refusal(begin.error);
  const errorOf = (path: string) => {
    const message = problem?.fields.find((field) => field.path === path)?.message;
    return message && `Error: ${message}`;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate({ reason, reference, text }, { onSuccess: onSaid });
  };
  return (
    <section className={`card ${styles.padded}`} aria-labelledby="why">
      <h2 id="why">Why do you look?</h2>
      <form className={styles.form} noValidate onSubmit={submit} aria-labelledby="why">
        {problem && (
          <Banner kind="error" focusOn={begin.submittedAt}>
            <p>{problem.message}</p>
          </Banner>
        )}
        <div className="field-grid">
          <SelectInput
            label="Reason"
            options={reasons}
            value={reason}
            error={errorOf('reason')}
            onChange={({ target }) => setReason(target.value as Reason['reason'])}
          />
          <TextInput
            label="Number of the case"
            required={reason === 'CASE'}
            value={reference}
            error={errorOf('reference')}
            onChange={({ target }) => setReference(target.value)}
            autoComplete="off"
          />
          <TextInput
            label="In words"
            hint="Leave numbers out"
            required={reason === 'OTHER'}
            value={text}
            error={errorOf('text')}
            onChange={({ target }) => setText(target.value)}
            autoComplete="off"
          />
        </div>
        <div className="button-row">
          <Button type="submit" variant="primary" busy={begin.isPending}>
            Begin
          </Button>
        </div>
      </form>
    </section>
  );
}

function Look() {
  const [q, setQ] = useState('');
  const find = useFind();
  const user = useOpenUser();
  const problem = find.error && refusal(find.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    user.reset();
    find.mutate(q);
  };
  return (
    <>
      <form
        className={`card ${styles.padded} ${styles.search}`}
        noValidate
        onSubmit={submit}
        aria-label="Find"
      >
        <TextInput
          label="Any number, user name or email address"
          hint="Bill, check, claim, Tax ID, NPI or group; a document's or the office's own number with the Tax ID before it"
          value={q}
          error={problem ? `Error: ${problem.fields[0]?.message ?? problem.message}` : undefined}
          onChange={({ target }) => setQ(target.value)}
          autoComplete="off"
        />
        <Button type="submit" variant="primary" busy={find.isPending}>
          Find
        </Button>
      </form>
      <div role="status">
        {find.data && <Answers found={find.data} onUser={(name) => user.mutate(name)} />}
      </div>
      {user.error && (
        <Banner kind="error">
          <p>{refusal(user.error).message}</p>
        </Banner>
      )}
      {user.data && <UserCard card={user.data} />}
    </>
  );
}

function Answers({ found, onUser }: { found: Found; onUser: (userName: string) => void }) {
  const { offices, people, bills, remittances, claims, more, hint } = found;
  const none = [offices, people, bills, remittances, claims].every(({ length }) => length === 0);
  return (
    <div className={styles.answers}>
      {none && <Empty title="Nothing has exactly this number or name.">{hint}</Empty>}
      {more && (
        <Banner kind="info">
          <p>There is more than these 20: narrow it.</p>
        </Banner>
      )}
      {offices.length > 0 && (
        <div className="card">
          <ShortTable
            label="Offices"
            rows={offices}
            rowId={({ id }) => id}
            columns={[
              { header: 'Office', cell: ({ name, id }) => name || `Group ${id}` },
              { header: 'Group', cell: ({ id }) => id },
            ]}
          />
        </div>
      )}
      {people.length > 0 && (
        <div className="card">
          <ShortTable
            label="People"
            rows={people}
            rowId={({ userName }) => userName}
            columns={[
              {
                header: 'User',
                cell: ({ userName }) => (
                  <Button size="small" onClick={() => onUser(userName)}>
                    {userName}
                  </Button>
                ),
              },
              { header: 'Name', cell: ({ name }) => name },
              { header: 'Type', cell: ({ type }) => type },
              { header: 'Status', cell: ({ status }) => status },
            ]}
          />
        </div>
      )}
      {bills.length > 0 && (
        <div className="card">
          <ShortTable
            label="Bills"
            rows={bills}
            rowId={({ id }) => id}
            columns={[
              { header: 'Bill', cell: ({ id, number }) => <BillLink page={id}>{number}</BillLink> },
              { header: 'Claimant', cell: ({ claimant }) => claimant },
              { header: 'Service', cell: ({ serviceOn }) => formatDate(serviceOn) },
              { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
              { header: 'Charge', align: 'end', cell: ({ charges }) => formatMoney(charges) },
            ]}
          />
        </div>
      )}
      {remittances.length > 0 && (
        <div className="card">
          <ShortTable
            label="Remittances"
            rows={remittances}
            rowId={({ id }) => id}
            columns={[
              {
                header: 'Check or transfer',
                cell: ({ id, number }) => <RemittanceLink page={id}>{number}</RemittanceLink>,
              },
              { header: 'Payer', cell: ({ payer }) => payer },
              { header: 'Paid', cell: ({ paidOn }) => formatDate(paidOn) },
              { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
              { header: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
            ]}
          />
        </div>
      )}
      {claims.length > 0 && (
        <div className="card">
          <ShortTable
            label="Claims"
            rows={claims}
            rowId={({ number, payer }) => `${number} ${payer}`}
            columns={[
              { header: 'Claim', cell: ({ number }) => number },
              { header: 'Payer', cell: ({ payer }) => payer },
              { header: 'State', cell: ({ state }) => state },
            ]}
          />
        </div>
      )}
    </div>
  );
}

/** What the portal already has to mend it; the other things are done there. */
const actions: Record<Exclude<Card['action'], ''>, string> = {
  reset: 'Reset Password in User Search',
  registration: 'Resend Registration in User Search',
  mail: 'Send the mail again on Home',
  second: 'Reset their second step in User Search, if it is lost',
  draft: 'Complete the draft in User Search',
  employee: 'Enter the number in User Search',
};

const UserCard = ({ card }: { card: Card }) => {
  const { userName, name, type, status, email, lastSignIn, sentence, action } = card;
  return (
    <section className={`card ${styles.padded}`} aria-labelledby="user">
      <h2 id="user">
        {name} ({userName})
      </h2>
      <p className={styles.sentence}>{sentence}</p>
      {action && <Link to={action === 'mail' ? '/home' : '/UserSearch'}>{actions[action]}</Link>}
      <p className={styles.small}>
        {[type, status, email, lastSignIn && `last sign-in ${formatInstant(lastSignIn)}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </section>
  );
};
