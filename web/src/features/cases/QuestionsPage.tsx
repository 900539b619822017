import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { AskLink } from '@/shared/askAbout';
import { useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { useShowMore } from '@/shared/useShowMore';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime, formatLocalDateTime } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import { type CaseSummary, describeTopic, officeStates } from './cases';
import styles from './cases.module.css';
import { type Tab, useCases } from './queries';

const tabs: Record<Tab, string> = {
  reply: 'Needs you',
  open: 'Open',
  answered: 'Answered',
  all: 'All',
};

const empty: Record<Tab, string> = {
  reply: 'No answers to read, and no replies to write.',
  open: 'No open questions.',
  answered: 'No answered questions.',
  all: 'No questions yet.',
};

/** The list that is shown. */
interface List {
  tab: Tab;
  mine: boolean;
}

const defaultList: List = { tab: 'open', mine: false };

function readList(stored: unknown): List | null {
  const { tab, mine = false } = (stored as List | null) ?? {};
  return tab && tab in tabs ? { tab, mine } : null;
}

/** An office's questions to the network. */
export default function QuestionsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Questions</h1>
        <p className="page-lead">
          Ask the network about your bills, a Tax ID or anything else. You see your group's questions about
          your Tax IDs.
        </p>
      </header>
      {can('cases.own') ? <Questions /> : <NotPermitted />}
    </div>
  );
}

function Questions() {
  const { search, start } = useSearchState(readList, {});
  const { tab, mine } = search?.criteria ?? defaultList;
  const list = useCases(tab, mine);
  const { data, isError, refetch, hasNextPage } = list;
  const more = useShowMore(list);
  const cases = data?.pages.flatMap((part) => part.cases) ?? [];
  return (
    <>
      <div className={styles.tabs}>
        {(Object.keys(tabs) as Tab[]).map((name) => (
          <Button
            key={name}
            size="small"
            variant={name === tab ? 'primary' : undefined}
            aria-pressed={name === tab}
            onClick={() => start({ tab: name, mine })}
          >
            {tabs[name]}
          </Button>
        ))}
        <Button
          size="small"
          aria-pressed={mine}
          variant={mine ? 'primary' : undefined}
          onClick={() => start({ tab, mine: !mine })}
        >
          Only mine
        </Button>
        <AskLink className={styles.actions} />
      </div>
      <div className={`card ${styles.card}`}>
        {!data ? (
          isError ? (
            <Failed onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )
        ) : cases.length === 0 ? (
          <Empty title={empty[tab]} />
        ) : (
          <ShortTable label="Questions" rows={cases} rowId={({ number }) => number} columns={columns} />
        )}
        {hasNextPage && (
          <p>
            <Button {...more}>Show more</Button>
          </p>
        )}
      </div>
    </>
  );
}

const columns = [
  {
    header: 'Question',
    cell: ({ number, unread }: CaseSummary) => (
      <>
        <Link {...paths.toCase(number)} className={unread ? styles.unread : undefined}>
          {number}
        </Link>
        {unread && (
          <>
            {' '}
            <Chip kind="info">New</Chip>
          </>
        )}
      </>
    ),
  },
  { header: 'Topic', cell: (row: CaseSummary) => describeTopic(row) },
  {
    header: 'State',
    cell: ({ state }: CaseSummary) => (
      <Chip kind={officeStates[state].kind}>{officeStates[state].label}</Chip>
    ),
  },
  { header: 'Bills', cell: ({ bills }: CaseSummary) => formatBills(bills) },
  { header: 'Tax ID', cell: ({ ftin }: CaseSummary) => formatTin(ftin) },
  { header: 'Asked', cell: ({ openedAt }: CaseSummary) => formatLocalDateTime(openedAt) },
  { header: 'Answer by', cell: ({ dueAt }: CaseSummary) => (dueAt ? formatBusinessDateTime(dueAt) : '') },
];

const formatBills = (bills: CaseSummary['bills']) =>
  bills.length > 1 ? `${bills[0]?.number} and ${bills.length - 1} more` : (bills[0]?.number ?? '');
