import { type HistoryState, Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { formatCount } from '@/ui/format';
import { ChevronLeftIcon, ChevronRightIcon } from '@/ui/icons';
import { toast } from '@/ui/Toasts';
import styles from './Breadcrumbs.module.css';
import { errorMessage } from './errorMessage';
import { type ListPosition, useListPosition } from './listPosition';
import { fetchRest, type ListRest } from './listRest';
import { useMutation } from './useMutation';

interface Props {
  /** The page's ID and name. */
  id?: string;
  name: string;
  /** The list above it, unless another one opened the page. */
  list: { name: string; to: LinkProps['to'] };
  /** The link to another page of the list. Without it, there is no previous and next page. */
  toPage?: (id: string) => Pick<LinkProps, 'to' | 'params'>;
}

/** The way to a page below a list, and to the previous and next page of the list. */
export function Breadcrumbs({ id = '', name, list, toPage }: Props) {
  const position = useListPosition(id);
  const { name: above, to, params } = position ?? { ...list, params: undefined };
  return (
    <nav aria-label="Breadcrumb" className={styles.crumbs}>
      <ol>
        <li>
          <Link to={to} params={params}>
            {above}
          </Link>
        </li>
        <li aria-current="page">{name}</li>
      </ol>
      {position && toPage && <Neighbors key={id} position={position} toPage={toPage} />}
    </nav>
  );
}

function Neighbors({ position, toPage }: { position: ListPosition } & Required<Pick<Props, 'toPage'>>) {
  const { at, ids, before, count, rest } = position;
  const open = (list: ListPosition) => ({
    ...toPage(list.ids[list.at] ?? ''),
    // Back still returns to the list.
    replace: true,
    state: (state: HistoryState) => ({ ...state, position: list }),
  });
  const navigate = useNavigate();
  const { mutate } = useMutation({ mutationFn: fetchRest });
  // The callbacks don't run after the user left the page.
  const loadRest = (rest: ListRest) =>
    mutate(rest, {
      onSuccess: (more) => {
        const added = more.ids.filter((id) => !ids.includes(id));
        const next = added.length > 0 ? at + 1 : at;
        void navigate(open({ ...position, ids: [...ids, ...added], at: next, rest: more.rest }));
      },
      onError: (error) => toast.error(errorMessage(error, "Couldn't load the rest of the list. Try again.")),
    });
  const neighbor = (step: -1 | 1, label: string, Icon: typeof ChevronLeftIcon) => {
    const isLoaded = ids[at + step] !== undefined;
    if (!isLoaded && (step < 0 || !rest))
      return (
        <span className={styles.step} aria-hidden="true">
          <Icon />
        </span>
      );
    return (
      <Link
        {...open(isLoaded ? { ...position, at: at + step } : position)}
        onClick={(event) => {
          if (isLoaded || !rest) return;
          event.preventDefault();
          loadRest(rest);
        }}
        className={styles.step}
        aria-label={label}
        title={label}
      >
        <Icon />
      </Link>
    );
  };
  return (
    <p className={styles.position}>
      {formatCount(before + at + 1)}
      {count !== undefined && ` of ${formatCount(count)}`}
      {neighbor(-1, 'Previous', ChevronLeftIcon)}
      {neighbor(1, 'Next', ChevronRightIcon)}
    </p>
  );
}
