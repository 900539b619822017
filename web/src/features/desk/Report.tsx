import { useState } from 'react';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { today } from '@/ui/dates';
import { SelectInput } from '@/ui/form/inputs';
import { DownloadIcon } from '@/ui/icons';
import styles from './desk.module.css';
import { useReport } from './queries';

const shown = 8;

/** Returns a date's quarter and the earlier ones. */
function listQuarters(day: string): string[] {
  const newest = Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
  return Array.from({ length: shown }, (_, back) => formatQuarter(newest - back));
}

const formatQuarter = (quarter: number) => `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;

/** How much each user opened, and why, in one quarter. */
export function Report() {
  const quarters = listQuarters(today());
  const [chosen, setChosen] = useState(quarters[0] ?? '');
  const report = useReport();
  return (
    <section className={`card ${styles.padded} ${styles.bar}`} aria-label="Quarterly report">
      <SelectInput
        label="See who opened what, and why, in"
        options={quarters.map((quarter) => ({ value: quarter, label: quarter.replace('-', ', ') }))}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      />
      <Button busy={report.isPending} onClick={() => report.mutate(chosen)}>
        <DownloadIcon /> CSV
      </Button>
      {report.error && (
        <Banner kind="error">
          <p>{toProblem(report.error).message}</p>
        </Banner>
      )}
    </section>
  );
}
