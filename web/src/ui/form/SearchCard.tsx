import {
  type ReactNode,
  type RefObject,
  type SubmitEventHandler,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../Button';
import { Loading } from '../PageState';
import styles from './SearchCard.module.css';

/** The props that a screen passes to its search form. */
export interface SearchFormProps<Criteria> {
  /** The criteria of the current or latest search, or of the one restored from the history. */
  current: Criteria | null;
  searching: boolean;
  /** There are results, so the form makes room for them. */
  found?: boolean;
  /** An invalid submit clears the results of the previous search. */
  onInvalid: () => void;
  onSearch: (criteria: Criteria) => void;
  onReset: () => void;
}

interface Props {
  searching: boolean;
  /** The criteria in one line, which replaces the form when there are results. */
  summary?: readonly (string | false | undefined)[] | null;
  found?: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** Clears the form and its results. Without it there is no such button. */
  onReset?: () => void;
  searchLabel?: string;
  resetLabel?: string;
  /** Shown after the buttons. */
  afterButtons?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/**
 * The search form above the results. It collapses to a line when there are results, and Change
 * expands it.
 */
export function SearchCard({
  searching,
  summary,
  found = false,
  onSubmit,
  onReset,
  searchLabel = 'Search',
  resetLabel = 'Reset',
  afterButtons: beside,
  children,
}: Props) {
  const [isCollapsed, setCollapsed] = useState(found);
  const [wasFound, setWasFound] = useState(found);
  if (found !== wasFound) {
    setWasFound(found);
    setCollapsed(found);
  }
  const shown = !(isCollapsed && summary);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  // The line disappears, and its focus moves to the first field.
  const expand = (by: () => void) => {
    flushSync(by);
    form.current?.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus();
  };

  return (
    <div className="card">
      {!shown && (
        <div className={styles.folded}>
          <p className={styles.summary} id={id}>
            <span className={styles.label}>Your search</span>
            {summary.filter(Boolean).map((part) => (
              <span key={String(part)} className={styles.part}>
                {part}
              </span>
            ))}
          </p>
          <div className="button-row">
            <Button
              size="small"
              aria-describedby={id}
              aria-expanded={false}
              onClick={() => expand(() => setCollapsed(false))}
            >
              Change
            </Button>
            {onReset && (
              <Button size="small" variant="quiet" onClick={() => expand(onReset)}>
                {resetLabel}
              </Button>
            )}
          </div>
        </div>
      )}
      <form ref={form} noValidate hidden={!shown} onSubmit={onSubmit}>
        {children}
        <div className="button-row card-body">
          <Button type="submit" variant="primary" busy={searching}>
            {searchLabel}
          </Button>
          {onReset && <Button onClick={onReset}>{resetLabel}</Button>}
          {beside}
        </div>
      </form>
    </div>
  );
}

interface ResultProps {
  /**
   * Counts the searches that the user started. 0 is one restored from the history, which takes
   * no focus.
   */
  run: number;
  /** There is something to read: results, no results or an error. */
  ready: boolean;
  children: ReactNode;
}

/**
 * A search's result. It scrolls into view, and its heading takes the focus so that screen
 * readers read it.
 */
export function ResultRegion({ run, ready, children }: ResultProps) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className={styles.answer}>
      <Suspense fallback={<Loading />}>
        {children}
        <ResultLink box={box} run={run} ready={ready} />
      </Suspense>
    </div>
  );
}

/**
 * A sibling of the result, which may still have to load: looks for the heading when the result
 * is there.
 */
function ResultLink({
  box,
  run,
  ready,
}: Omit<ResultProps, 'children'> & { box: RefObject<HTMLDivElement | null> }) {
  useEffect(() => {
    const answer = box.current;
    if (run === 0 || !ready || !answer) return;
    const heading = answer.querySelector<HTMLElement>('h2');
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    const { top } = answer.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight / 3) answer.scrollIntoView({ block: 'start' });
  }, [box, run, ready]);
  return null;
}
