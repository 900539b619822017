import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { useSession } from '@/api/session';
import type { Session } from '@/api/types';
import { useOpenBillSummary } from '@/shared/openBillSummary';
import * as paths from '@/shared/paths';
import { useNeededQuestions } from '@/shared/questions';
import { queueLists, useQueues } from '@/shared/queues';
import { useToday } from '@/shared/today';
import { ActionMenu } from '@/ui/ActionMenu';
import { cx } from '@/ui/cx';
import { fadingRow, markEdges } from '@/ui/fadingRow';
import { Svg } from '@/ui/firstIcons';
import { formatCount, formatMoney } from '@/ui/format';
import { ChevronDownIcon } from '@/ui/icons';
import type { Opener } from '@/ui/useLazyDialog';
import styles from './WorkspaceBar.module.css';

type Entry = NonNullable<Session['workspace']>[number];

/** The Workspace's own navigation, with the work that waits, below the menu. */
export default function WorkspaceBar({ onSearch }: { onSearch: () => void }) {
  const { workspace } = useSession();
  const { pathname } = useLocation();
  const counts = useCounts();
  const needed = useNeededQuestions();
  const entries = workspace ?? [];
  const rest = entries.filter(({ bar }) => !bar);
  const current = findCurrent(entries, pathname);
  const widths = JSON.stringify(counts);
  const nav = useRef<HTMLElement>(null);
  // On a narrow or zoomed screen the current item can be beyond the edge.
  useEffect(() => {
    const box = nav.current;
    if (!box || !pathname || !widths) return;
    const observer = new ResizeObserver(() => {
      const current = box.querySelector<HTMLElement>('[aria-current]');
      const fade = Number.parseFloat(getComputedStyle(box).scrollPaddingInlineEnd) || 0;
      if (current) box.scrollLeft = current.offsetLeft + current.offsetWidth + fade - box.clientWidth;
    });
    observer.observe(box);
    // Counts and the font change the items' width.
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [pathname, widths]);
  useEffect(() => markEdges(nav.current), []);
  return (
    <div className={styles.bar}>
      <nav ref={nav} aria-label="Workspace" className={cx(styles.nav, fadingRow)}>
        <ul>
          {entries
            .filter(({ bar }) => bar)
            .map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={paths.getScreenPath(to)}
                  // The list of what is counted.
                  state={to === 'work/cases' && counts[to] ? needed.state : undefined}
                  activeOptions={{ exact: true }}
                  aria-current={to === current?.to ? 'page' : undefined}
                >
                  {label}
                  {counts[to] && (
                    <>
                      {' '}
                      <span className={styles.count}>{counts[to]}</span>
                    </>
                  )}
                </Link>
              </li>
            ))}
          {rest.length > 0 && (
            <li>
              <More entries={rest} current={current?.bar ? undefined : current} />
            </li>
          )}
        </ul>
      </nav>
      <button type="button" className={styles.search} aria-haspopup="dialog" onClick={onSearch}>
        <SearchIcon />
        <span>Find a bill, check or screen</span>
      </button>
    </div>
  );
}

const SearchIcon = () => <Svg d="M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12.7 12.7l4 4" />;

/** Pages of the queues. Those without an own entry belong to Queues. */
const queuePages = Object.values(queueLists).map(({ to }) => to as string);

/** The entries of pages that have an address of their own. */
const listsOfPages: Record<string, string> = {
  '/work/bill/': paths.openBills,
  '/work/remittance/': paths.remittances,
  '/work/cases/': paths.cases,
  '/desk/cases/': paths.deskCases,
  '/desk/bill/': paths.desk,
  '/desk/remittance/': paths.desk,
};

function findCurrent(entries: readonly Entry[], address: string): Entry | undefined {
  const exact = entries.find(({ to }) => paths.getScreenPath(to) === address);
  if (exact) return exact;
  const page = Object.keys(listsOfPages).find((prefix) => address.startsWith(prefix)) ?? '';
  const pathname = listsOfPages[page] ?? address;
  const isOwn = ({ to }: Entry) => {
    const own = paths.getScreenPath(to);
    const isStart = own === paths.today || own === paths.desk;
    return pathname === own || (!isStart && pathname.startsWith(`${own}/`));
  };
  const isQueues = ({ to }: Entry) => paths.getScreenPath(to) === paths.deskQueues;
  return entries.find(isOwn) ?? (queuePages.includes(pathname) ? entries.find(isQueues) : undefined);
}

/** What waits behind each entry, by its path. */
function useCounts(): Record<string, string | undefined> {
  const { workspace, can } = useSession();
  const has = (to: string) => workspace?.some((entry) => entry.to === to && entry.bar) ?? false;
  const { data: bills } = useOpenBillSummary(has('work/bills'));
  const { data: queues } = useQueues((has('desk/queues') || has('desk/cases')) && can('desk.open'));
  const { data: today } = useToday(false, has('work/cases') && can('cases.own'));
  const { data: unmatched } = useQuery({
    // Matching a payment refetches it.
    queryKey: ['unmatched-money', 'sums'],
    enabled: has('desk/unmatched') && can('feeds.watch'),
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/unmatched/sums', { signal })),
    staleTime: 60_000,
    retry: false,
  });
  const waiting = queues?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const more = queues?.some(({ more }) => more);
  const overdue = queues?.find(({ kind, count }) => kind === 'cases' && count > 0);
  const questions = today ? today.answers + today.replies : 0;
  return {
    'work/bills':
      bills && bills.payerLate.bills > 0 ? `${formatCount(bills.payerLate.bills)} overdue` : undefined,
    'desk/unmatched': unmatched && unmatched.payments > 0 ? formatDollars(unmatched.paid) : undefined,
    'work/cases': questions > 0 ? formatCount(questions) : undefined,
    'desk/cases': overdue && `${formatWaiting(overdue)} overdue`,
    'desk/queues': waiting > 0 ? formatWaiting({ count: waiting, more }) : undefined,
  };
}

const formatWaiting = ({ count, more }: { count: number; more?: boolean }) =>
  `${formatCount(count)}${more ? '+' : ''}`;

/** Whole dollars: $1,235. */
const formatDollars = (amount: number) => formatMoney(Math.round(amount)).replace('.00', '');

function More({ entries, current }: { entries: readonly Entry[]; current?: Entry }) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const button: ReactElement<Opener> = (
    <button type="button" className={styles.more} aria-current={current && 'page'}>
      {current ? current.label : 'More'}
      <ChevronDownIcon />
    </button>
  );
  return (
    <ActionMenu
      open={open}
      onOpenChange={setOpen}
      actions={entries.map(({ label, to }) => ({
        label,
        onSelect: () => void navigate({ to: paths.getScreenPath(to) }),
      }))}
    >
      {button}
    </ActionMenu>
  );
}
