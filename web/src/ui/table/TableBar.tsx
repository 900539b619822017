import { Button } from '../Button';
import { cx } from '../cx';
import { formatCount } from '../format';
import { retrievingText } from '../PageState';
import styles from './DataTable.module.css';
import { ExportMenu } from './ExportMenu';
import type { DataTableProps } from './props';
import type { Column } from './state';
import { useNarrow } from './useNarrow';

type FromTable =
  | 'title'
  | 'headingLevel'
  | 'counted'
  | 'titleHidden'
  | 'layout'
  | 'rows'
  | 'server'
  | 'status'
  | 'loadingText'
  | 'selection'
  | 'toolbar'
  | 'filterBar'
  | 'exportMenu';

interface Props<Row> extends Pick<DataTableProps<Row>, FromTable> {
  id: string;
  columns: readonly Column<Row>[];
  /** The columns that users can hide. */
  hideable: readonly Column<Row>[];
  found: readonly { original: Row }[];
  count: number;
  canSelect: boolean;
  onSelectAll: () => void;
}

/** The table's title and row count, and the buttons next to them. */
export function TableBar<Row extends object>({
  title,
  headingLevel = 2,
  counted = 'found',
  titleHidden,
  layout,
  rows,
  server,
  status,
  loadingText,
  selection,
  toolbar,
  filterBar,
  exportMenu,
  id,
  columns,
  hideable,
  found,
  count,
  canSelect,
  onSelectAll,
}: Props<Row>) {
  const Heading = `h${headingLevel}` as const;
  // Rows of two lines show the same columns to everyone.
  const brief = useNarrow(columns.length) && columns.some(({ brief }) => brief);
  return (
    <div
      className={cx(
        styles.bar,
        titleHidden && !toolbar && !selection?.allLabel && !exportMenu && 'visually-hidden',
      )}
    >
      <div className={styles.heading}>
        <Heading
          id={`${id}-title`}
          aria-describedby={`${id}-count`}
          className={cx(titleHidden && 'visually-hidden')}
        >
          {title}
        </Heading>
        <p id={`${id}-count`} className={styles.count} role="status">
          {rows.length > 0 &&
            !(server && status === 'failed') &&
            (server && status === 'loading'
              ? (loadingText ?? retrievingText)
              : !server?.counting &&
                describeCount(counted, count, server ? count : rows.length, selection?.selected.size ?? 0))}
        </p>
      </div>
      {filterBar}
      <div id={`${id}-tools`} className={styles.tools}>
        {selection?.allLabel && rows.length > 0 && (
          <Button disabled={!canSelect} onClick={onSelectAll}>
            {selection.allLabel}
          </Button>
        )}
        {typeof toolbar === 'function' ? toolbar(found.map((row) => row.original)) : toolbar}
        {layout && !brief && (
          <layout.chooser columns={hideable} shape={layout.shape} onChange={layout.onChange} />
        )}
        {exportMenu && (!server || server.exportRows) && (
          <ExportMenu
            Menu={exportMenu.menu}
            fileName={exportMenu.fileName}
            disabled={count === 0}
            count={count}
            columns={columns}
            rows={() => server?.exportRows?.() ?? [found.map((row) => row.original)]}
          />
        )}
      </div>
    </div>
  );
}

function describeCount(counted: string, found: number, all: number, selected: number) {
  const count =
    found === all ? `${formatCount(all)} ${counted}` : `${formatCount(found)} of ${formatCount(all)}`;
  return selected > 0 ? `${count}, ${formatCount(selected)} selected` : count;
}
