import { useMemo } from 'react';
import { z } from 'zod/mini';
import { getConfig } from '@/api/config';
import { parseCriteria, useSearchState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { categories, type ResourceDocument } from './documents';
import { useDocuments } from './queries';
import styles from './resources.module.css';

/** The network's documents and videos for providers. */
export default function ProviderResourcesPage() {
  const { websiteUrl } = getConfig();
  const found = useDocuments();
  const { search, table, setTable, start } = useSearchState(read, { sort: { id: 'name', desc: false } });
  const { category, name } = search?.criteria ?? all;
  const { documents = [], leftOut = 0 } = found.data ?? {};

  const shown = useMemo(() => {
    const wanted = name.trim().toLowerCase();
    return documents.filter(
      (document) =>
        (category === '' || document.category === category) && document.name.toLowerCase().includes(wanted),
    );
  }, [documents, category, name]);
  const change = (wanted: Criteria, changed = { ...table, page: 0 }) => {
    start(wanted);
    setTable(changed);
  };

  return (
    <div className="page">
      <header className={styles.heading}>
        <div>
          <h1>Provider Resources</h1>
          <p className="page-lead">
            The network's manuals, news and training. Documents open in a new window.
          </p>
        </div>
        {websiteUrl && (
          <LinkButton href={websiteUrl} target="_blank" rel="noopener noreferrer">
            Visit our website
            <span className="visually-hidden"> (opens in a new window)</span>
          </LinkButton>
        )}
      </header>
      <div className={styles.criteria}>
        <SelectInput
          label="Category"
          placeholder="Select All"
          options={options}
          value={category}
          onChange={({ target }) => change({ name, category: target.value })}
        />
        <TextInput
          label="Filter by Name"
          autoComplete="off"
          value={name}
          onChange={({ target }) => change({ category, name: target.value })}
        />
      </div>
      <DataTable
        title="Documents"
        columns={columns}
        rows={shown}
        rowId={({ id }) => id}
        controlled={{ state: table, onChange: (changed) => change({ category, name }, changed) }}
        status={found.isError ? (found.data ? 'stale' : 'failed') : found.isPending ? 'loading' : 'ready'}
        onRetry={() => void found.refetch()}
        empty={documents.length > 0 ? 'No documents match this category and name.' : 'No documents yet.'}
        notice={leftOut > 0 && <Banner kind="warning">{formatLeftOut(leftOut)}</Banner>}
      />
    </div>
  );
}

const criteriaSchema = z.object({ category: z.string(), name: z.string() });
type Criteria = z.infer<typeof criteriaSchema>;

const all: Criteria = { category: '', name: '' };

const read = parseCriteria(criteriaSchema);

const options = categories.map((name) => ({ value: name, label: name }));

const formatLeftOut = (count: number) =>
  count === 1
    ? "1 document can't be shown because its list entry is invalid."
    : `${formatCount(count)} documents can't be shown because their list entries are invalid.`;

const columns: Column<ResourceDocument>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name }) => name,
    cell: ({ name, walkmeId, href }) => (
      // Guided tours select the document by this attribute.
      <a
        className={styles.document}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        data-walkme-id={walkmeId || undefined}
      >
        {name}
      </a>
    ),
    filterable: false,
    wrap: true,
    minWidth: '12rem',
  },
  { id: 'category', header: 'Category', value: ({ category }) => category, filterable: false },
];
