import { Link } from '@tanstack/react-router';
import { BillLink, RemittanceLink } from '@/shared/BillLink';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatMoney, formatTin } from '@/ui/format';
import { Empty } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import { getPersonColumns } from './personColumns';
import { type Found, isEmpty } from './queries';

interface Props {
  found: Found;
  /** The question that can have the number, too. */
  question?: string;
  onUser: (userName: string) => void;
  onOffice: (id: number) => void;
}

/** Exact matches of a number or name. */
export function Answers({ found, question, onUser, onOffice }: Props) {
  const { offices, people, bills, remittances, claims, more, hint } = found;
  return (
    <div className={styles.answers}>
      {isEmpty(found) && (
        <div className="card">
          <Empty title="No exact match for this number or name.">
            {hint && <p>{hint}</p>}
            <p>
              Find a patient by name and date of birth in <Link to={paths.claimSearch}>Claim Search</Link>, a
              user by name in <Link to={paths.userSearch}>User Search</Link>, and an office in{' '}
              <Link to={paths.deskGroups}>Groups</Link>.
            </p>
          </Empty>
        </div>
      )}
      {more && (
        <Banner kind="info">
          <p>Showing the first 20. Narrow your search.</p>
        </Banner>
      )}
      {question && (
        <p className={`card ${styles.padded}`}>
          Question <Link {...paths.toDeskCase(question)}>{question}</Link>
        </p>
      )}
      {offices.length > 0 && (
        <div className="card">
          <ShortTable
            label="Offices"
            rows={offices}
            rowId={({ id }) => id}
            columns={[
              {
                header: 'Office',
                cell: ({ name, id }) => (
                  <Button variant="link" className={styles.name} onClick={() => onOffice(id)}>
                    {name || `Group ${id}`}
                  </Button>
                ),
              },
              { header: 'Group', cell: ({ id }) => id },
            ]}
          />
        </div>
      )}
      {people.length > 0 && (
        <div className="card">
          <ShortTable
            label="People"
            rows={people}
            rowId={({ userName }) => userName}
            columns={getPersonColumns(onUser)}
          />
        </div>
      )}
      {bills.length > 0 && (
        <div className="card">
          <ShortTable
            label="Bills"
            rows={bills}
            rowId={({ id }) => id}
            columns={[
              { header: 'Bill', cell: ({ id, number }) => <BillLink page={id}>{number}</BillLink> },
              { header: 'Claimant', cell: ({ claimant }) => claimant },
              { header: 'Service', cell: ({ serviceOn }) => formatDate(serviceOn) },
              { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
              { header: 'Charge', align: 'end', cell: ({ charges }) => formatMoney(charges) },
            ]}
          />
        </div>
      )}
      {remittances.length > 0 && (
        <div className="card">
          <ShortTable
            label="Remittances"
            rows={remittances}
            rowId={({ id }) => id}
            columns={[
              {
                header: 'Check or transfer',
                cell: ({ id, number }) => <RemittanceLink page={id}>{number}</RemittanceLink>,
              },
              { header: 'Payer', cell: ({ payer }) => payer },
              { header: 'Paid', cell: ({ paidOn }) => formatDate(paidOn) },
              { header: 'Tax ID', cell: ({ ftin }) => formatTin(ftin) },
              { header: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
            ]}
          />
        </div>
      )}
      {claims.length > 0 && (
        <div className="card">
          <ShortTable
            label="Claims"
            rows={claims}
            rowId={({ number, payer }) => `${number} ${payer}`}
            columns={[
              { header: 'Claim', cell: ({ number }) => number },
              { header: 'Payer', cell: ({ payer }) => payer },
              { header: 'State', cell: ({ state }) => state },
            ]}
          />
          <p className={styles.note}>
            To find a claim's bills, enter the Tax ID before it: 123456789 {claims[0]?.number}.
          </p>
        </div>
      )}
    </div>
  );
}
