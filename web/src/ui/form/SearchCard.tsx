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

/** What a screen gives the form that it searches by. */
export interface SearchFormProps<Criteria> {
  /** The search that runs or ran, or that the history kept. */
  kept: Criteria | null;
  searching: boolean;
  /** Something was found: the form makes room for it. */
  found?: boolean;
  /** A submit that fails its check clears the results of the search before. */
  onInvalid: () => void;
  onSearch: (criteria: Criteria) => void;
  onReset: () => void;
}

interface Props {
  searching: boolean;
  /** What was searched, in a line that takes the place of the form once something was found. */
  summary?: readonly (string | false | undefined)[] | null;
  found?: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** Empties the form and what was found by it; without it there is no such button. */
  onReset?: () => void;
  searchLabel?: string;
  resetLabel?: string;
  /** Stands behind the buttons. */
  beside?: ReactNode;
  /** What is searched by. */
  children: ReactNode;
}

/** The form above what a screen finds. It folds to a line when something was found, and Change opens it. */
export function SearchCard({
  searching,
  summary,
  found = false,
  onSubmit,
  onReset,
  searchLabel = 'Search',
  resetLabel = 'Reset',
  beside,
  children,
}: Props) {
  const [folded, setFolded] = useState(found);
  const [foundBefore, setFoundBefore] = useState(found);
  if (found !== foundBefore) {
    setFoundBefore(found);
    setFolded(found);
  }
  const shown = !(folded && summary);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  // The line goes, and the focus that it had moves to the first thing that can be changed.
  const unfold = (by: () => void) => {
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
              onClick={() => unfold(() => setFolded(false))}
            >
              Change
            </Button>
            {onReset && (
              <Button size="small" variant="quiet" onClick={() => unfold(onReset)}>
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

interface AnswerProps {
  /** Counts the searches that a person started; 0 is one that the history kept, which takes no focus. */
  run: number;
  /** There is something to read: what was found, that nothing was, or why not. */
  ready: boolean;
  children: ReactNode;
}

/** What a search found: it comes into view, and its heading takes the focus and is read. */
export function Answer({ run, ready, children }: AnswerProps) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className={styles.answer}>
      <Suspense fallback={<Loading />}>
        {children}
        <ToAnswer box={box} run={run} ready={ready} />
      </Suspense>
    </div>
  );
}

/** Beside the answer itself: it looks for the heading once that is there, whose code may still have to come. */
function ToAnswer({
  box,
  run,
  ready,
}: Omit<AnswerProps, 'children'> & { box: RefObject<HTMLDivElement | null> }) {
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
