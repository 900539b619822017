import { useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useSession } from '@/api/session';
import type { Session } from '@/api/types';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { BillState, getState } from '@/shared/BillState';
import { showOpenBillsByTin } from '@/shared/openBills';
import { openInSupport } from '@/shared/openInSupport';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { showClaimBills } from '@/shared/showClaimBills';
import { useTinNumbers } from '@/shared/tins';
import { cx } from '@/ui/cx';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { TextInput } from '@/ui/form/inputs';
import { findLengthProblem, line } from '@/ui/form/kinds';
import { formatCount, formatMoney, formatTin } from '@/ui/format';
import { retrievalError } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { normalizeText } from '@/ui/text';
import styles from './Palette.module.css';
import {
  type FoundBill,
  type FoundClaim,
  type Outcome,
  type PaletteQuery,
  usePaletteSearch,
} from './queries';

const number = line(100);

interface Option {
  key: string;
  group: string;
  shown: ReactNode;
  pick: () => void;
}

/**
 * Finds a bill by any of its numbers or its claimant, and the Workspace's screens by name. Arrow
 * keys select, Enter opens. The typed text isn't stored. The list is our own, because Mantine's
 * Combobox only marks the selected option in the DOM, and names a removed option to screen
 * readers when the options change.
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const { workspace, can, actingUser } = session;
  // Network staff don't have bills of their own. Their searches go to the service desk, which asks
  // for a reason.
  const atDesk = can('desk.open');
  const navigate = useNavigate();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState<PaletteQuery | null>(null);
  const [chosen, setChosen] = useState('');
  const runs = useRef(0);
  const found = usePaletteSearch(query);

  const open = (path: string) => {
    onClose();
    void navigate({ to: paths.getScreenPath(path) });
  };
  const openClaim = ({ claimNumber }: FoundClaim) => {
    onClose();
    void navigate({ to: paths.billSearch, state: showClaimBills(getOwner(session), claimNumber) });
  };
  const find = () => {
    if (atDesk) {
      onClose();
      void navigate({ to: paths.desk, state: openInSupport(getOwner(session), text) });
      return;
    }
    runs.current += 1;
    setQuery({ number: number.normalize(typed), run: runs.current });
  };
  const changeText = (text: string) => {
    setTyped(text);
    setQuery(null);
    setChosen('');
  };

  const settled = query !== null && found.outstanding === 0;
  const failed = found.error !== null || found.secondFailed;
  const isByClaim = ({ by }: FoundBill) => by === 'claimNumber';
  const only =
    settled &&
    !failed &&
    found.bills.length === 1 &&
    (found.claims.length === 0 || found.bills.every(isByClaim))
      ? found.bills[0]
      : undefined;
  const openOnly = useEffectEvent((bill: FoundBill) => open(getPage(bill)));
  useEffect(() => {
    if (only) openOnly(only);
  }, [only]);

  const digits = settled && !failed && found.bills.length === 0 ? query.number.replaceAll(/[-\s]/g, '') : '';
  const tins = useTinNumbers(actingUser.userNm, /^\d{9}$/.test(digits));
  const ownTin = tins.data?.find((tin) => tin === digits);
  const openTin = (tin: string) => {
    onClose();
    void navigate({ to: paths.openBills, state: showOpenBillsByTin(getOwner(session), tin) });
  };

  const text = normalizeText(typed);
  const tooLong = findLengthProblem(number, typed);
  const options: Option[] = [
    ...found.bills.map((bill) => ({
      key: bill.id,
      group: groups[bill.by],
      shown: <Bill bill={bill} />,
      pick: () => open(getPage(bill)),
    })),
    ...found.claims.map((claim) => ({
      key: `claim ${claim.claimNumber}`,
      group: 'Claims',
      shown: <Claim claim={claim} />,
      pick: () => openClaim(claim),
    })),
    ...(workspace ?? [])
      .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
      .map(({ group, label, to }) => ({
        key: to,
        group: menuGroups[group],
        shown: label,
        pick: () => open(to),
      })),
  ];
  if (ownTin)
    options.push({
      key: 'tin',
      group: 'Tax ID',
      shown: `Open bills for ${formatTin(ownTin)}`,
      pick: () => openTin(ownTin),
    });
  if (text && !tooLong && (!query || (settled && failed)))
    options.push({
      key: 'find',
      group: 'Find',
      shown: `${text}${atDesk ? ' at the service desk' : query ? ' again' : ''}`,
      pick: find,
    });
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  );
  const current = options[at];
  const getId = (option: Option) => `${listId}-${options.indexOf(option)}`;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const next = options.at((at + step) % options.length);
    if (!next) return;
    setChosen(next.key);
    document.getElementById(getId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    current?.pick();
  };

  return (
    <Dialog open title="Workspace" size="medium" topAligned onClose={onClose}>
      <form onSubmit={onSubmit} className={styles.palette}>
        <TextInput
          {...(atDesk ? deskTexts : ownTexts)}
          tooLong={tooLong}
          value={typed}
          onChange={({ target }) => changeText(target.value)}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? listId : undefined}
          aria-activedescendant={current && getId(current)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          data-autofocus
        />
        <p role="status" className={cx(styles.status, found.error && styles.error)}>
          {ownTin
            ? 'No bill has this number, but it matches one of your Tax IDs.'
            : query && formatResult(query, found)}
        </p>
        {options.length > 0 && (
          <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
            {[...new Set(options.map(({ group }) => group))].map((group, index) => (
              // biome-ignore lint/a11y/useSemanticElements: list boxes group options this way
              <div key={group} role="group" aria-labelledby={`${listId}-group-${index}`}>
                <p id={`${listId}-group-${index}`} role="presentation" className={styles.group}>
                  {group}
                </p>
                {options
                  .filter((option) => option.group === group)
                  .map((option) => (
                    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field handles the keys and has the focus
                    <div
                      key={option.key}
                      id={getId(option)}
                      role="option"
                      aria-selected={option === current}
                      className={styles.option}
                      // The focus stays in the field.
                      onMouseDown={(event) => event.preventDefault()}
                      onClick={option.pick}
                    >
                      {option.shown}
                    </div>
                  ))}
              </div>
            ))}
          </div>
        )}
      </form>
    </Dialog>
  );
}

const ownTexts = {
  label: 'Bill, claim, check or document number, or claimant',
  hint: 'Press Enter to search. For a claimant: Last, First 04/17/1980. You can also enter a screen name.',
};
const deskTexts = {
  label: 'Any number, username or email address',
  hint: 'Press Enter to search the service desk. You can also enter a screen name.',
};

const getPage = ({ id }: FoundBill) => `work/bill/${id}`;

function Bill({ bill }: { bill: FoundBill }) {
  const { ftin, billControlNumber, documentId, beginServiceDate, billCharges, payerName, second } = bill;
  const state = getState({ ...bill, page: bill.id });
  const claimant = [bill.patientFirstName, bill.patientMiddleName, bill.patientLastName];
  const facts = [claimant.filter(Boolean).join(' '), formatDate(beginServiceDate), payerName];
  const names = [
    `TIN ${formatTin(ftin)}`,
    billControlNumber && documentId && `Document ID ${documentId}`,
    second && 'second bill system',
  ];
  return (
    <>
      <span className={styles.lead}>
        <strong>{billControlNumber || documentId}</strong> {state && <BillState {...state} />}{' '}
        <span className={styles.charge}>{formatMoney(billCharges)}</span>
      </span>{' '}
      <span>{facts.filter(Boolean).join(' · ')}</span>{' '}
      <span className={styles.names}>{names.filter(Boolean).join(' · ')}</span>
    </>
  );
}

function Claim({ claim: { claimNumber, bills } }: { claim: FoundClaim }) {
  return (
    <>
      <strong>{claimNumber}</strong>{' '}
      <span className={styles.names}>
        {bills >= 100 ? 'View all bills (100+)' : bills === 1 ? 'View its bill' : `View all ${bills} bills`}
      </span>
    </>
  );
}

/** The labels of the menu groups. */
const menuGroups: Record<NonNullable<Session['workspace']>[number]['group'], string> = {
  Work: 'Work',
  Know: 'Reference',
  Group: 'Administration',
  Desk: 'Service desk',
};

/** The bill groups, by the matching field. */
const groups: Record<FoundBill['by'], string> = {
  billControlNumber: 'Bills',
  formerNumber: 'Bills by previous number',
  documentId: 'Bills by document ID',
  patientControlNumber: 'Bills by patient account number',
  payerControlNumber: 'Bills by payer claim number',
  checkNumber: 'Bills by check or EFT',
  claimNumber: 'Bills by claim',
  claimant: 'Bills by claimant',
  '': 'Bills',
};

/** Summarizes the results in one line. */
function formatResult(query: PaletteQuery, { bills, more, outstanding, error, secondFailed }: Outcome) {
  const second = secondFailed ? " The second bill system didn't respond." : '';
  if (error) {
    const [wrong] = toProblem(error).fields;
    return wrong ? `Error: ${wrong.message}` : addRetryTime(retrievalError, toProblem(error)) + second;
  }
  if (outstanding > 0)
    return bills.length > 0 ? 'Searching the second bill system…' : `Searching for ${query.number}…`;
  if (bills.length === 0) return `No results for your Tax IDs.${second}`;
  if (more) return `Showing only the first ${formatCount(bills.length)} bills.${second}`;
  return `${pluralize(bills.length, 'bill')} found.${second}`;
}
