import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { BillLink } from '@/shared/BillLink';
import { billStates } from '@/shared/billStates.gen';
import { ReasonChips } from '@/shared/Codes';
import { formatCallOutcome } from '@/shared/payerCall/draft';
import { useOfficeNames } from '@/shared/tins';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { makeMoneyColumn } from '@/ui/table/columns';
import type { Column } from '@/ui/table/state';
import { DueText } from './DueText';
import { splitNames } from './offices';
import styles from './openbills.module.css';
import type { OpenBill } from './queries';

const Offices = createContext<{
  full: ReadonlyMap<string, string | undefined>;
  split: ReturnType<typeof splitNames>;
}>({ full: new Map(), split: new Map() });

/** Shows users who work for several offices each bill's office. */
export function WithOffices({ tins, children }: { tins: readonly string[]; children: ReactNode }) {
  const full = useOfficeNames(tins);
  return <Offices value={useMemo(() => ({ full, split: splitNames(full) }), [full])}>{children}</Offices>;
}

/** The name of the bill's office for those users, or its Tax ID if names look alike. */
export function OfficeNote({ ftin }: Pick<OpenBill, 'ftin'>) {
  const { full, split } = useContext(Offices);
  if (!full.has(ftin)) return null;
  const name = split.get(ftin);
  const tin = formatTin(ftin);
  const { shared, own } = name ?? { shared: 'Tax ID', own: tin };
  return (
    <span className={styles.office} title={[`Tax ID ${tin}`, full.get(ftin)].filter(Boolean).join(', ')}>
      {shared && <span className={styles.shared}>{shared} </span>}
      <span>{own}</span>
      {name && <span className="visually-hidden"> Tax ID {tin}</span>}
    </span>
  );
}

/** Limits long names, so that all rows have the same height. */
const TwoLines = ({ children }: { children: string }) => (
  <span className={styles.twoLines} title={children}>
    {children}
  </span>
);

const plain = { sortable: false, filterable: false } as const;
export const formatClaimant = ({ patientLastName, patientFirstName, patientMiddleName }: OpenBill) =>
  [patientLastName, [patientFirstName, patientMiddleName].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ');

/** The bill's data. */
export const billColumns: Column<OpenBill>[] = [
  {
    ...plain,
    id: 'bill',
    header: 'Bill',
    lead: true,
    value: ({ billControlNumber }) => billControlNumber,
    cell: ({ id, billControlNumber, ftin }) => (
      <>
        <BillLink page={id}>{billControlNumber}</BillLink>
        <OfficeNote ftin={ftin} />
      </>
    ),
  },
  {
    ...plain,
    id: 'claimant',
    header: 'Claimant',
    value: formatClaimant,
    wrap: true,
    minWidth: '5rem',
    brief: 'below',
  },
  {
    ...plain,
    sortable: true,
    id: 'service',
    header: 'Service',
    value: ({ beginServiceDate }) => beginServiceDate,
    text: ({ beginServiceDate }) => formatDate(beginServiceDate),
  },
  {
    ...plain,
    sortable: true,
    id: 'age',
    header: 'Age',
    align: 'end',
    value: ({ age }) => age,
    text: ({ age }) => (age === null ? '' : `${age} d`),
  },
  {
    ...plain,
    sortable: true,
    id: 'payer',
    header: 'Payer',
    value: ({ payerName }) => payerName,
    cell: ({ payerName }) => <TwoLines>{payerName}</TwoLines>,
    wrap: true,
    minWidth: '7.7rem',
  },
  {
    ...plain,
    id: 'provider',
    header: 'Provider',
    value: ({ provider }) => provider,
    cell: ({ provider }) => <TwoLines>{provider}</TwoLines>,
    wrap: true,
    minWidth: '5rem',
  },
  {
    ...plain,
    id: 'state',
    header: 'Status',
    value: ({ state }) => billStates[state],
    cell: ({ state }) => (
      <span className={styles.status}>
        <Chip kind={tones[state]}>{billStates[state]}</Chip>
      </span>
    ),
    wrap: true,
    minWidth: '7rem',
    brief: 'below',
  },
  { ...plain, sortable: true, ...makeMoneyColumn('charge', 'Charge', ({ charge }) => charge), brief: 'end' },
  { ...plain, ...makeMoneyColumn('allowance', 'Allowance', ({ allowance }) => allowance) },
  { ...plain, ...makeMoneyColumn('paid', 'Paid', ({ paid }) => paid) },
  { ...plain, ...makeMoneyColumn('difference', 'Difference', ({ difference }) => difference) },
];

/** The follow-up and its deadline. */
export const dueColumns: Column<OpenBill>[] = [
  {
    ...plain,
    sortable: true,
    id: 'due',
    header: 'Due',
    value: ({ due }) => due,
    text: ({ due }) => formatDate(due),
    cell: ({ due }) => <DueText due={due} />,
    brief: 'below',
  },
  {
    ...plain,
    id: 'reasons',
    header: 'Reasons',
    value: ({ reasons }) => reasons.join(' '),
    cell: ({ reasons, jurisdiction }) => <ReasonChips codes={reasons} jurisdiction={jurisdiction} />,
  },
];

export const tones = {
  received: 'neutral',
  priced: 'info',
  denied: 'error',
  nothingPaid: 'neutral',
  short: 'warning',
  takenBack: 'warning',
} as const;

/** The group's work on it. */
export const workColumns: Column<OpenBill>[] = [
  {
    ...plain,
    id: 'followUp',
    header: 'Follow-up',
    value: ({ work }) => work.followUpOn,
    text: ({ work }) => formatDate(work.followUpOn),
  },
  {
    ...plain,
    id: 'assigned',
    header: 'Assignee',
    value: ({ work }) => work.assignedTo?.name,
    wrap: true,
    minWidth: '4.5rem',
  },
  { ...plain, id: 'notes', header: 'Notes', align: 'end', value: ({ work }) => work.notes || null },
  {
    ...plain,
    id: 'lastCall',
    header: 'Last payer call',
    value: ({ lastCall }) =>
      lastCall && `${formatDate(lastCall.on)} ${formatCallOutcome(lastCall.outcome, lastCall.promisedOn)}`,
    wrap: true,
    minWidth: '7rem',
  },
];

/** The columns that only users who choose them see. */
export const optionalColumns: readonly string[] = ['lastCall'];
