import { Link, type LinkProps } from '@tanstack/react-router';
import { formatCount } from '@/ui/format';
import { ChevronLeftIcon, ChevronRightIcon } from '@/ui/icons';
import styles from './Breadcrumbs.module.css';
import { type ListPosition, useListPosition } from './listPosition';

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
      {position && toPage && <Neighbors position={position} toPage={toPage} />}
    </nav>
  );
}

function Neighbors({ position, toPage }: { position: ListPosition } & Required<Pick<Props, 'toPage'>>) {
  const { at, ids, before, count } = position;
  const neighbor = (step: -1 | 1, label: string, Icon: typeof ChevronLeftIcon) => {
    const id = ids[at + step];
    if (!id)
      return (
        <span className={styles.step} aria-hidden="true">
          <Icon />
        </span>
      );
    return (
      <Link
        {...toPage(id)}
        // Back still returns to the list.
        replace
        state={(state) => ({ ...state, position: { ...position, at: at + step } })}
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
