import { useState } from 'react';
import type { SearchRun } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatCount } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { TableState } from '@/ui/table/state';
import styles from './clients.module.css';
import type { Criteria } from './criteria';
import { type ClientRow, type useClients, useProducts } from './queries';
import { clientColumns, type Filtered, saveClientList } from './sheet';
import { generalError } from './texts';

interface Props {
  search: SearchRun<Criteria>;
  found: Pick<ReturnType<typeof useClients>, 'data' | 'isError' | 'isFetching' | 'refetch'>;
  table: TableState;
  onTableChange: (table: TableState) => void;
}

export function Results({ search: { criteria }, found, table, onTableChange }: Props) {
  const { data, isError, isFetching } = found;
  const clients = data?.clients ?? [];
  return (
    <DataTable
      title="Clients"
      columns={clientColumns}
      rows={clients}
      rowId={({ place }) => place}
      controlled={{ state: table, onChange: onTableChange }}
      status={isFetching ? 'loading' : isError ? 'failed' : 'ready'}
      failure={generalError}
      onRetry={() => void found.refetch()}
      empty="There are no Clients for the selected criteria, please revise your search criteria and try again"
      toolbar={(found) => (
        <Download
          criteria={criteria}
          clients={found}
          filtered={{ filters: table.filters, of: clients.length, limitedTo: data?.limitedTo ?? null }}
        />
      )}
      notice={
        clients.length > 0 &&
        (criteria.lob === 'AUTO' || data?.limitedTo) && (
          <div className={styles.apart}>
            {criteria.lob === 'AUTO' && (
              <Banner kind="info">
                Clients listed for Auto may steer their members to network providers where the law allows it.
              </Banner>
            )}
            {data?.limitedTo && (
              <Banner kind="info">{`Showing only the first ${formatCount(data.limitedTo)} clients.`}</Banner>
            )}
          </div>
        )
      }
    />
  );
}

// The button ignores a second click for this many milliseconds.
const clickPause = 500;

interface DownloadProps {
  criteria: Criteria;
  clients: readonly ClientRow[];
  filtered: Filtered;
}

function Download({ criteria, clients, filtered }: DownloadProps) {
  const products = useProducts(criteria);
  const [busy, setBusy] = useState(false);
  const product = products.data?.find(({ productCd }) => productCd === criteria.productCd);

  async function save() {
    setBusy(true);
    try {
      await saveClientList(criteria, product?.productName ?? criteria.productCd, clients, filtered);
      await new Promise((resolve) => setTimeout(resolve, clickPause));
    } catch {
      toast.error("Couldn't create the download. Try again.");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="small" busy={busy} disabled={clients.length === 0} onClick={() => void save()}>
      <DownloadIcon width="1rem" height="1rem" />
      DOWNLOAD
    </Button>
  );
}
