import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { InfoIcon } from '@/ui/icons';
import styles from './bills.module.css';

/** Lists the field combinations that can be searched. */
export function SearchHelp() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <InfoIcon />
        Search Help
      </Button>
      <Dialog
        open={open}
        title="Search Help"
        size="medium"
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            OK
          </Button>
        }
      >
        <div className={styles.help}>
          <p>Select 1 to 5 Tax IDs (TINs), then fill in all fields for one type of search:</p>
          <dl>
            <dt>By Claim Number</dt>
            <dd>
              Enter the Claim Number and Approximate Date of Service. We find bills with a service date up to
              7 days before or after.
            </dd>
            <dt>By Claimant</dt>
            <dd>
              Enter the Claimant First Name, Claimant Last Name, Claimant Date of Birth and Approximate Date
              of Service (within 7 days).
            </dd>
            <dt>By Bill ID</dt>
            <dd>
              Enter either the Bill Control Number or the Document ID. Results show both as Bill Reference
              Number / DCN (document control number).
            </dd>
          </dl>
          <p>
            Enter dates as 3/14/2025, 3-14-2025, 3.14.2025, 3 14 2025 or 2025-03-14. Dates can't be in the
            future.
          </p>
        </div>
      </Dialog>
    </>
  );
}
