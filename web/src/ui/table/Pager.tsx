import { memo, useId } from 'react';
import { IconButton } from '../Button';
import { formatCount } from '../format';
import { ChevronLeftIcon, ChevronRightIcon, FirstIcon, LastIcon } from '../icons';
import styles from './Pager.module.css';

interface Props {
  label: string;
  page: number;
  pageSize: number;
  count: number;
  options: readonly number[];
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}

export const Pager = memo(function Pager({
  label,
  page,
  pageSize,
  count,
  options,
  onPage,
  onPageSize,
}: Props) {
  const id = useId();
  const last = Math.max(Math.ceil(count / pageSize) - 1, 0);
  const from = count === 0 ? 0 : page * pageSize + 1;
  const to = Math.min((page + 1) * pageSize, count);
  return (
    <nav className={styles.pager} aria-label={`Pages of ${label}`}>
      <div className={styles.size}>
        <label htmlFor={id}>Rows per page:</label>
        <select id={id} value={pageSize} onChange={(event) => onPageSize(Number(event.target.value))}>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </div>
      <p className={styles.range}>
        {formatCount(from)}-{formatCount(to)} of {formatCount(count)}
      </p>
      {/* On the last page a button isn't disabled, because a disabled button would lose the focus. */}
      <div className={styles.buttons}>
        <IconButton label="First" aria-disabled={page === 0} onClick={() => onPage(0)}>
          <FirstIcon />
        </IconButton>
        <IconButton label="Previous" aria-disabled={page === 0} onClick={() => onPage(page - 1)}>
          <ChevronLeftIcon />
        </IconButton>
        <span className={styles.page}>
          Page {formatCount(page + 1)} of {formatCount(last + 1)}
        </span>
        <IconButton label="Next" aria-disabled={page === last} onClick={() => onPage(page + 1)}>
          <ChevronRightIcon />
        </IconButton>
        <IconButton label="Last" aria-disabled={page === last} onClick={() => onPage(last)}>
          <LastIcon />
        </IconButton>
      </div>
    </nav>
  );
});
