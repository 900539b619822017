import type { ReactNode } from 'react';
import { BillLink } from '@/shared/BillLink';
import { changeWords } from '@/shared/billChanges';
import { mailKinds } from '@/shared/mailKinds';
import { stateNames } from '@/shared/openBills';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { counted } from '@/ui/counted';
import { formatInstant, formatSince } from '@/ui/dates';
import { formatCount, formatMoney, formatTin } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import type { Office } from './queries';

const kinds = { PROVIDER: 'Provider group', NONNETWORK: 'Non-network group', ROSTER: 'Roster group' };

const ages = {
  30: '0–30 days',
  60: '31–60 days',
  90: '61–90 days',
  older: 'Over 90 days',
  undated: 'Without a date',
};

const sumNames: Record<string, string> = { ...stateNames, ...ages };

const requestWords = { QUEUED: 'Being made', DONE: 'Made', FAILED: 'Failed' };

interface Props {
  card: Office;
  onUser: (userName: string) => void;
}

/** What there is of an office, without what the office keeps for itself. */
export function OfficeCard({ card, onUser }: Props) {
  const { id, name, kind, tins, tinCount, people, morePeople, open, asOf } = card;
  return (
    <section className={styles.answers} aria-labelledby="office">
      <div className={`card ${styles.padded}`}>
        <h2 id="office">{name || `Group ${id}`}</h2>
        <p className={styles.small}>
          {kinds[kind]} · group {id} · as of {formatSince(asOf)}
        </p>
        <p className={styles.sentence}>
          {tinCount === 0
            ? 'No Tax ID'
            : `${counted(tinCount, 'Tax ID')}: ${tins.map(formatTin).join(', ')}${
                tinCount > tins.length ? ` and ${formatCount(tinCount - tins.length)} more` : ''
              }`}
        </p>
      </div>
      <Part title="People" none="Nobody has an account here." count={people.length}>
        <ShortTable
          label="People of the office"
          rows={people}
          rowId={({ userName }) => userName}
          columns={[
            {
              header: 'User',
              cell: ({ userName }) => (
                <Button variant="link" className={styles.name} onClick={() => onUser(userName)}>
                  {userName}
                </Button>
              ),
            },
            { header: 'Name', cell: (person) => person.name },
            { header: 'Type', cell: ({ type }) => type },
            { header: 'Status', cell: ({ status }) => status },
            {
              header: 'Last sign-in',
              cell: ({ lastSignIn }) => (lastSignIn ? formatInstant(lastSignIn) : 'Never'),
            },
          ]}
        />
        {morePeople && (
          <p className={styles.note}>
            There are more: User Search finds them all by the group or the Tax ID.
          </p>
        )}
      </Part>
      <Part title="Open bills, by state and by age" none="No open bills." count={open.length}>
        <ShortTable
          label="Open bills"
          rows={open}
          rowId={(sum) => sum.name}
          columns={[
            { header: 'Bills that are', cell: (sum) => sumNames[sum.name] },
            { header: 'Bills', align: 'end', cell: ({ bills }) => formatCount(bills) },
            { header: 'Charged', align: 'end', cell: ({ charges }) => formatMoney(charges) },
          ]}
        />
      </Part>
      <Part title="Last changes on bills" none="Nothing has changed yet." count={card.changes.length}>
        <ShortTable
          label="Last changes on bills"
          rows={card.changes}
          rowId={(bill) => bill.id}
          columns={[
            { header: 'Bill', cell: (bill) => <BillLink page={bill.id}>{bill.number}</BillLink> },
            {
              header: 'What happened',
              cell: ({ change }) => <Chip kind={changeWords[change][1]}>{changeWords[change][0]}</Chip>,
            },
            { header: 'On', cell: ({ at }) => formatInstant(at) },
            { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
          ]}
        />
      </Part>
      <Part title="Failed emails" none="Every email got through." count={card.mails.length}>
        <ShortTable
          label="Failed emails"
          rows={card.mails}
          rowId={(mail) => mail.id}
          columns={[
            { header: 'About', cell: (mail) => mailKinds[mail.kind] ?? mail.kind },
            { header: 'To', cell: ({ to }) => to },
            { header: 'On', cell: ({ at }) => formatInstant(at) },
            { header: 'What the mail server said', cell: ({ error }) => error },
          ]}
        />
      </Part>
      <Part title="Fee schedules asked for" none="None." count={card.requests.length}>
        <ShortTable
          label="Fee schedules asked for"
          rows={card.requests}
          rowId={({ at, rateCode }) => `${at} ${rateCode}`}
          columns={[
            { header: 'Rate code', cell: ({ rateCode }) => rateCode },
            { header: 'State', cell: ({ status }) => requestWords[status] },
            { header: 'On', cell: ({ at }) => formatInstant(at) },
          ]}
        />
      </Part>
      <Part title="Rosters sent" none="None." count={card.rosters.length}>
        <ShortTable
          label="Rosters sent"
          rows={card.rosters}
          rowId={({ at, by }) => `${at} ${by}`}
          columns={[
            { header: 'By', cell: ({ by }) => by },
            { header: 'Type', cell: ({ type }) => (type === 'full' ? 'Full' : 'Partial (A/C/T)') },
            { header: 'Files', align: 'end', cell: ({ files }) => files },
            { header: 'On', cell: ({ at }) => formatInstant(at) },
          ]}
        />
      </Part>
      <Part title="Notifications they got" none="None." count={card.notices.length}>
        <ShortTable
          label="Notifications they got"
          rows={card.notices}
          rowId={(notice) => `${notice.at} ${notice.name}`}
          columns={[
            { header: 'Notification', cell: (notice) => notice.name },
            {
              header: 'Seen by',
              cell: ({ sent, viewed }) => `${formatCount(viewed)} of ${formatCount(sent)} people`,
            },
            { header: 'On', cell: ({ at }) => formatInstant(at) },
          ]}
        />
      </Part>
    </section>
  );
}

/** One kind of what an office has; a sentence where there is nothing. */
const Part = ({
  title,
  none,
  count,
  children,
}: {
  title: string;
  none: string;
  count: number;
  children: ReactNode;
}) => (
  <div className="card">
    <h3 className={styles.part}>{title}</h3>
    {count > 0 ? children : <p className={styles.note}>{none}</p>}
  </div>
);
