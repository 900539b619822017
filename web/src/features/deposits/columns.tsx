import { Link } from '@tanstack/react-router';
import { Marked, markDifference } from '@/shared/differences';
import * as paths from '@/shared/paths';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney, formatTin } from '@/ui/format';
import { makeMoneyColumn } from '@/ui/table/columns';
import type { Column } from '@/ui/table/state';
import { add, answerKinds, answerNames, type Deposit, type Matched, type Remittance } from './answers';
import styles from './deposits.module.css';

type Rest = Matched['remittances'][number];

const postedTexts = { posted: 'Posted', partly: 'Partially posted', changed: 'Changed since posted' };

const getPosted = (rows: readonly Remittance[]) =>
  [...new Set(rows.map(({ posted }) => (posted ? postedTexts[posted.state] : 'Not posted')))].join(', ');

/** The columns of deposits. Those without a value in any row are left out. */
export const getDepositColumns = (rows: readonly Deposit[]): Column<Deposit>[] => [
  { id: 'on', header: 'Date', value: ({ on }) => on, text: ({ on }) => formatDate(on) },
  { ...makeMoneyColumn<Deposit>('amount', 'Deposit', ({ amount }) => amount), lead: true },
  {
    id: 'trace',
    header: 'Trace or check',
    value: ({ trace }) => trace,
    cell: (deposit) => <Trace deposit={deposit} />,
    identifies: true,
    wrap: true,
    minWidth: '8rem',
    brief: 'below',
  },
  ...(rows.some(({ description }) => description)
    ? [
        {
          id: 'description',
          header: 'Description',
          value: ({ description }: Deposit) => description,
          wrap: true,
          minWidth: '9rem',
        },
      ]
    : []),
  {
    id: 'answer',
    header: 'Result',
    value: ({ answer }) => answerNames[answer],
    choices: [...new Set(rows.map(({ answer }) => answerNames[answer]))],
    cell: (deposit) => (
      <>
        <Chip kind={answerKinds[deposit.answer]}>{answerNames[deposit.answer]}</Chip>
        <span className={styles.why}>{explain(deposit)}</span>
      </>
    ),
    wrap: true,
    minWidth: '9rem',
    brief: 'end',
  },
  {
    id: 'remittance',
    header: 'Remittance',
    value: ({ remittances }) => remittances.map(({ number }) => number).join(' '),
    cell: (deposit) => <Remittances deposit={deposit} />,
    identifies: true,
    wrap: true,
    minWidth: '8rem',
  },
  {
    id: 'payer',
    header: 'Payer',
    value: ({ remittances }) => [...new Set(remittances.map(({ payer }) => payer))].join(', '),
    wrap: true,
    minWidth: '9rem',
  },
  {
    id: 'paidOn',
    header: 'Paid on',
    value: ({ remittances }) => remittances[0]?.paidOn,
    text: ({ remittances }) => formatDate(remittances[0]?.paidOn),
  },
  {
    ...makeMoneyColumn<Deposit>('paid', 'Paid', ({ remittances }) =>
      remittances.length > 0 ? add(remittances.map(({ amount }) => amount)) : null,
    ),
    cell: ({ remittances }) => <Amount rows={remittances} />,
  },
  {
    id: 'posted',
    header: 'Posted',
    value: ({ remittances }) => getPosted(remittances),
    wrap: true,
    minWidth: '6rem',
    brief: 'below',
  },
];

/** What the result means for this deposit. */
function explain({ answer, difference, otherLine, candidates, cells }: Deposit): string {
  switch (answer) {
    case 'short':
      return `${formatMoney(-difference)} less than the remittance`;
    case 'over':
      return `${formatMoney(difference)} more than the remittance`;
    case 'differs':
      return 'The check also pays other offices';
    case 'repeated':
      return `Same as line ${otherLine}`;
    case 'proposed':
      return candidates > 1 ? `1 of ${candidates} with this amount` : 'By amount';
    case 'unreadable':
      return cells.map(({ message }) => message).join(' ');
    default:
      return '';
  }
}

/** The number as the bank has it. A proposal marks what differs from the remittance's number. */
function Trace({ deposit: { answer, trace, remittances } }: { deposit: Deposit }) {
  const number = remittances[0]?.number;
  if (answer !== 'proposed' || !trace || !number) return trace;
  return <Marked parts={markDifference(trace, number)[0]} />;
}

function Remittances({ deposit: { answer, trace, remittances } }: { deposit: Deposit }) {
  return (
    <span className={styles.links}>
      {remittances.map(({ id, number, ftin }) => (
        <Link
          key={id}
          {...paths.toRemittance(id)}
          aria-label={number || undefined}
          title={`TIN ${formatTin(ftin)}`}
        >
          {answer === 'proposed' && trace && number ? (
            <Marked parts={markDifference(trace, number)[1]} />
          ) : (
            number || 'No number'
          )}
        </Link>
      ))}
    </span>
  );
}

function Amount({ rows }: { rows: readonly Remittance[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      {rows.some(({ kind }) => kind === 'shared') && (
        <Chip title="This payment covers several payees. The amount shown is for your Tax ID.">
          Your share
        </Chip>
      )}{' '}
      {formatMoney(add(rows.map(({ amount }) => amount)))}
    </>
  );
}

/** The columns of remittances without a deposit. */
export const getRestColumns = (): Column<Rest>[] => [
  {
    id: 'paidOn',
    header: 'Paid on',
    value: ({ remittance }) => remittance.paidOn,
    text: ({ remittance }) => formatDate(remittance.paidOn),
  },
  {
    id: 'payer',
    header: 'Payer',
    value: ({ remittance }) => remittance.payer,
    wrap: true,
    minWidth: '10rem',
    brief: 'below',
  },
  {
    id: 'number',
    header: 'Number',
    lead: true,
    value: ({ remittance }) => remittance.number,
    cell: ({ remittance: { id, number } }) => (
      <Link {...paths.toRemittance(id)}>{number || 'No number'}</Link>
    ),
  },
  {
    id: 'answer',
    header: 'Result',
    value: ({ answer }) => answerNames[answer],
    choices: [answerNames.missing, answerNames.possible, answerNames.noPayment],
    cell: ({ answer }) => <Chip kind={answerKinds[answer]}>{answerNames[answer]}</Chip>,
    brief: 'below',
  },
  {
    ...makeMoneyColumn<Rest>('amount', 'Amount', ({ remittance }) => remittance.amount),
    cell: ({ remittance }) => <Amount rows={[remittance]} />,
    brief: 'end',
  },
  {
    id: 'ftin',
    header: 'TIN',
    value: ({ remittance }) => remittance.ftin,
    text: ({ remittance }) => formatTin(remittance.ftin),
  },
  { id: 'posted', header: 'Posted', value: ({ remittance }) => getPosted([remittance]) },
];
