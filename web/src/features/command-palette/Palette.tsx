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
import { addRetryTime, toProblem } from '@/shared/apiError';
import { BillState, getState } from '@/shared/BillState';
import { showOpenBillsByTin } from '@/shared/openBills';
import { openInSupport } from '@/shared/openInSupport';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { hasQuestionPrefix, parseQuestionNumber } from '@/shared/questions';
import { useViews, type View } from '@/shared/savedViews';
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
import { setSingleKeys, useSingleKeys } from '@/ui/singleKeys';
import { normalizeText } from '@/ui/text';
import { setTheme, useColorScheme } from '@/ui/theme';
import styles from './Palette.module.css';
import {
  type FoundBill,
  type FoundClaim,
  type FoundRemittance,
  type Outcome,
  type PaletteQuery,
  usePaletteSearch,
} from './queries';
import { listPortal, listWorkspace, matches } from './screens';

const number = line(100);

interface Option {
  key: string;
  group: string;
  shown: ReactNode;
  pick: () => void;
}

/**
 * Finds a bill by any of its numbers or its claimant, a check, and the portal's screens by name.
 * Arrow keys select, Enter opens. The typed text isn't stored. The list is our own, because
 * Mantine's Combobox only marks the selected option in the DOM, and names a removed option to
 * screen readers when the options change.
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  // Network staff don't have bills of their own. Their searches go to the service desk, which asks
  // for a reason.
  const atDesk = can('desk.open');
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const { query, found, search, clear } = useSearch(typed, !atDesk);
  const open = useOpen(onClose);
  const changeText = (text: string) => {
    setTyped(text);
    clear();
    setChosen('');
  };

  const settled = query !== null && found.outstanding === 0;
  const failed = found.error !== null || found.secondFailed;
  const only = settled && !failed && !query.live ? getOnly(found) : undefined;
  const openOnly = useEffectEvent((path: string) => open.screen(path));
  useEffect(() => {
    if (only) openOnly(only);
  }, [only]);

  const text = normalizeText(typed);
  const tooLong = findLengthProblem(number, typed);
  const ownTin = useOwnTin(
    settled && !failed && found.bills.length === 0 ? query.number.replaceAll(/[-\s]/g, '') : '',
  );
  const options = [...listFound(found, open), ...useNamed(text, open)];
  const question = listQuestion(text, open, can);
  const isFirst = !atDesk || hasQuestionPrefix(text);
  if (isFirst) options.unshift(...question);
  if (ownTin)
    options.push({
      key: 'tin',
      group: 'Tax ID',
      shown: `Open bills for ${formatTin(ownTin)}`,
      pick: () => open.tin(ownTin),
    });
  if (text && !tooLong && (!query || query.live || (settled && failed)))
    options.push({
      key: 'find',
      group: 'Find',
      shown: `${text}${atDesk ? ' at the service desk' : query && !query.live ? ' again' : ''}`,
      pick: () => (atDesk ? open.atDesk(text) : search()),
    });
  if (!isFirst) options.push(...question);
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
            : query && !(query.live && found.bills.length === 0) && formatResult(query, found)}
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
  hint: 'For a claimant, add the date of birth: Ada Smith 04/17/1980. You can also enter a screen name.',
};
const deskTexts = {
  label: 'Any number, username or email address',
  hint: 'Press Enter to search the service desk. You can also enter a screen name.',
};

const getPage = ({ id }: FoundBill) => paths.bill.replace('$id', id);
const getRemittancePage = ({ id }: FoundRemittance) => paths.remittance.replace('$id', id);

const isByCheck = ({ by }: FoundBill) => by === 'checkNumber';

/** Returns the address of the only result: one remittance of a check, or one bill. */
function getOnly({ bills, claims, remittances }: Outcome): string | undefined {
  const [remittance, second] = remittances;
  if (remittance && !second && claims.length === 0 && bills.every(isByCheck))
    return getRemittancePage(remittance);
  const [bill, another] = bills;
  const hasClaims = claims.length > 0 && !bills.every(({ by }) => by === 'claimNumber');
  return bill && !another && !remittance && !hasClaims ? getPage(bill) : undefined;
}

// Characters after which a number is searched while typing, and the pause before, in milliseconds.
const liveFrom = 5;
const livePause = 400;

/** The search for the typed text, which starts after a pause for numbers, and on Enter for all. */
function useSearch(typed: string, live: boolean) {
  const { can } = useSession();
  const [query, setQuery] = useState<PaletteQuery | null>(null);
  const runs = useRef(0);
  const found = usePaletteSearch(query, can('remittances.read'));
  const search = (live = false) => {
    runs.current += 1;
    setQuery({ number: number.normalize(typed), run: runs.current, live });
  };
  const searchLive = useEffectEvent(() => query === null && search(true));
  const isNumber = live && /\d/.test(typed) && !findLengthProblem(number, typed);
  const isLong = normalizeText(typed).length >= liveFrom;
  useEffect(() => {
    if (!typed || !isNumber || !isLong) return;
    const timer = setTimeout(() => searchLive(), livePause);
    return () => clearTimeout(timer);
  }, [typed, isNumber, isLong]);
  return { query, found, search: () => search(), clear: () => setQuery(null) };
}

/** Returns the number if it's one of the user's Tax IDs. */
function useOwnTin(digits: string) {
  const { actingUser } = useSession();
  const tins = useTinNumbers(actingUser.userNm, /^\d{9}$/.test(digits));
  return tins.data?.find((tin) => tin === digits);
}

/** Closes the dialog and opens what was selected. */
function useOpen(onClose: () => void) {
  const owner = getOwner(useSession());
  const navigate = useNavigate();
  const go = (to: Parameters<typeof navigate>[0]) => {
    onClose();
    void navigate(to);
  };
  return {
    screen: (path: string) => go({ to: path }),
    claim: ({ claimNumber }: FoundClaim) =>
      go({ to: paths.billSearch, state: showClaimBills(owner, claimNumber) }),
    tin: (tin: string) => go({ to: paths.openBills, state: showOpenBillsByTin(owner, tin) }),
    view: ({ id }: View) => go({ to: paths.openBillsView.replace('$id', id) }),
    atDesk: (text: string) => go({ to: paths.desk, state: openInSupport(owner, text) }),
    run: (action: () => void) => {
      onClose();
      action();
    },
  };
}

type Open = ReturnType<typeof useOpen>;

/** The question with the typed number. */
function listQuestion(text: string, open: Open, can: (permission: string) => boolean): Option[] {
  const number = parseQuestionNumber(text);
  if (!number || !(can('cases.desk') || can('cases.own'))) return [];
  const page = can('cases.desk') ? paths.deskCase : paths.caseThread;
  return [
    {
      key: 'question',
      group: 'Questions',
      shown: number,
      pick: () => open.screen(page.replace('$number', number)),
    },
  ];
}

const listFound = ({ bills, claims, remittances }: Outcome, open: Open): Option[] => [
  ...remittances.map((remittance) => ({
    key: remittance.id,
    group: 'Remittances',
    shown: <Remittance remittance={remittance} />,
    pick: () => open.screen(getRemittancePage(remittance)),
  })),
  ...bills.map((bill) => ({
    key: bill.id,
    group: groups[bill.by],
    shown: <Bill bill={bill} />,
    pick: () => open.screen(getPage(bill)),
  })),
  ...claims.map((claim) => ({
    key: `claim ${claim.claimNumber}`,
    group: 'Claims',
    shown: <Claim claim={claim} />,
    pick: () => open.claim(claim),
  })),
];

/** The screens, views and actions with the name. Without one, only those of the Workspace. */
function useNamed(text: string, open: Open): Option[] {
  const session = useSession();
  const { mirroredUser, can } = session;
  const { data: views = [] } = useViews(can('work.notes') && !mirroredUser);
  const dark = useColorScheme() === 'dark';
  const singleKeys = useSingleKeys();
  const workspace = listWorkspace(session);
  const listed = new Set(workspace.map(({ to }) => to));
  const screens = [...workspace, ...(text ? listPortal(session).filter(({ to }) => !listed.has(to)) : [])];
  const theme = dark ? 'Light mode' : 'Dark mode';
  const actions: { label: string; words?: string; run: () => void }[] = [
    { label: theme, words: 'theme', run: () => setTheme(dark ? 'light' : 'dark') },
    {
      label: `Turn ${singleKeys ? 'off' : 'on'} single-key shortcuts`,
      words: 'keyboard',
      run: () => setSingleKeys(!singleKeys),
    },
    { label: 'Sign Out', words: 'log out logout', run: () => open.screen(paths.logout) },
  ];
  return [
    ...screens
      .filter((screen) => matches(screen, text))
      .map(({ group, label, to }) => ({ key: to, group, shown: label, pick: () => open.screen(to) })),
    ...views
      .filter(({ name }) => matches({ label: name, words: 'open bills view' }, text))
      .map((view) => ({
        key: `view ${view.id}`,
        group: 'Views of open bills',
        shown: view.name,
        pick: () => open.view(view),
      })),
    ...(text ? actions.filter((action) => matches(action, text)) : []).map(({ label, run }) => ({
      key: label,
      group: 'Actions',
      shown: label,
      pick: () => open.run(run),
    })),
  ];
}

const Remittance = ({
  remittance: { number, payer, paidOn, amount, ftin },
}: {
  remittance: FoundRemittance;
}) => (
  <>
    <span className={styles.lead}>
      <strong>{number}</strong>
      <span className={styles.charge}>{formatMoney(amount)}</span>
    </span>{' '}
    <span>{[payer, formatDate(paidOn)].filter(Boolean).join(' · ')}</span>{' '}
    <span className={styles.names}>TIN {formatTin(ftin)}</span>
  </>
);

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
function formatResult(query: PaletteQuery, found: Outcome) {
  const { bills, claims, remittances, more, outstanding, error, secondFailed } = found;
  const second = secondFailed ? " The second bill system didn't respond." : '';
  if (error) {
    const [wrong] = toProblem(error).fields;
    return wrong ? `Error: ${wrong.message}` : addRetryTime(retrievalError, toProblem(error)) + second;
  }
  if (outstanding > 0)
    return bills.length > 0 ? 'Searching the second bill system…' : `Searching for ${query.number}…`;
  if (more) return `Showing only the first ${formatCount(bills.length)} bills.${second}`;
  const counts = [
    remittances.length > 0 && pluralize(remittances.length, 'remittance'),
    bills.length > 0 && pluralize(bills.length, 'bill'),
    claims.length > 0 && pluralize(claims.length, 'claim'),
  ].filter(Boolean);
  return `${counts.length > 0 ? `${counts.join(', ')} found` : 'No results for your Tax IDs'}.${second}`;
}
