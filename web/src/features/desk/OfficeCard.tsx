import type { ReactNode } from 'react';
import { BillLink } from '@/shared/BillLink';
import { changeNames } from '@/shared/billChanges';
import { billStates } from '@/shared/billStates.gen';
import { mailKinds } from '@/shared/mailKinds.gen';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatSince } from '@/ui/dates';
import { formatCount, formatMoney, formatTin } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import { getPersonColumns } from './personColumns';
import type { Office } from './queries';

const kinds = { PROVIDER: 'Provider group', NONNETWORK: 'Non-network group', ROSTER: 'Roster group' };

const ages = {
  30: '0–30 days',
  60: '31–60 days',
  90: '61–90 days',
  older: 'Over 90 days',
  undated: 'No date',
};

const sumNames: Record<string, string> = { ...billStates, ...ages };

const requestWords = { QUEUED: 'In progress', DONE: 'Ready', FAILED: 'Failed' };

interface Props {
  card: Office;
  onUser: (userName: string) => void;
}

/** An office's data, without its private data. */
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
            : `${pluralize(tinCount, 'Tax ID')}: ${tins.map(formatTin).join(', ')}${
                tinCount > tins.length ? ` and ${formatCount(tinCount - tins.length)} more` : ''
              }`}
        </p>
      </div>
      <Part title="Users" none="No users in this office." count={people.length}>
        <ShortTable
          label="Users in this office"
          rows={people}
          rowId={({ userName }) => userName}
          columns={[
            ...getPersonColumns(onUser),
            {
              header: 'Last sign-in',
              cell: ({ lastSignIn }) => (lastSignIn ? formatBusinessDate(lastSignIn) : 'Never'),
            },
          ]}
        />
        {morePeople && (
          <p className={styles.note}>To see all users, search by group or Tax ID in User Search.</p>
        )}
      </Part>
      <Part title="Open bills by status and age" none="No open bills." count={open.length}>
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
      <Part title="Latest bill changes" none="No bill changes yet." count={card.changes.length}>
        <ShortTable
          label="Latest bill changes"
          rows={card.changes}
          rowId={(bill) => bill.id}
          columns={[
            { header: 'Bill', cell: (bill) => <BillLink page={bill.id}>{bill.number}</BillLink> },
            {
              header: 'Change',
              cell: ({ change }) => <Chip kind={changeNames[change][1]}>{changeNames[change][0]}</Chip>,
            },
            { header: 'On', cell: ({ at }) => formatBusinessDate(at) },
            { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
          ]}
        />
      </Part>
      <Part title="Failed emails" none="No failed emails." count={card.mails.length}>
        <ShortTable
          label="Failed emails"
          rows={card.mails}
          rowId={(mail) => mail.id}
          columns={[
            { header: 'Subject', cell: (mail) => mailKinds[mail.kind] ?? mail.kind },
            { header: 'To', cell: ({ to }) => to },
            { header: 'On', cell: ({ at }) => formatBusinessDate(at) },
            { header: 'Mail server response', cell: ({ error }) => error },
          ]}
        />
      </Part>
      <Part title="Fee schedule requests" none="None." count={card.requests.length}>
        <ShortTable
          label="Fee schedule requests"
          rows={card.requests}
          rowId={({ at, rateCode }) => `${at} ${rateCode}`}
          columns={[
            { header: 'Rate code', cell: ({ rateCode }) => rateCode },
            { header: 'State', cell: ({ status }) => requestWords[status] },
            { header: 'On', cell: ({ at }) => formatBusinessDate(at) },
          ]}
        />
      </Part>
      <Part title="Rosters" none="None." count={card.rosters.length}>
        <ShortTable
          label="Rosters"
          rows={card.rosters}
          rowId={({ at, by }) => `${at} ${by}`}
          columns={[
            { header: 'By', cell: ({ by }) => by },
            { header: 'Type', cell: ({ type }) => (type === 'full' ? 'Full' : 'Partial (A/C/T)') },
            { header: 'Files', align: 'end', cell: ({ files }) => files },
            { header: 'On', cell: ({ at }) => formatBusinessDate(at) },
          ]}
        />
      </Part>
      <Part title="Notifications received" none="None." count={card.notices.length}>
        <ShortTable
          label="Notifications received"
          rows={card.notices}
          rowId={(notice) => `${notice.at} ${notice.name}`}
          columns={[
            { header: 'Notification', cell: (notice) => notice.name },
            {
              header: 'Seen by',
              cell: ({ sent, viewed }) => `${formatCount(viewed)} of ${formatCount(sent)} people`,
            },
            { header: 'On', cell: ({ at }) => formatBusinessDate(at) },
          ]}
        />
      </Part>
    </section>
  );
}

/** One section of an office's data, with a message when it's empty. */
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
