import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckboxInput } from '@/ui/form/inputs';
import { setSingleKeys, useSingleKeys } from '@/ui/singleKeys';
import styles from './openbills.module.css';

const reading = [
  ['j', 'Next bill'],
  ['k', 'Previous bill'],
  ['?', 'Show shortcuts'],
];
const working = [
  ['Enter', 'Work on bill'],
  ['o', 'Open bill page'],
  ['x', 'Select or clear the bill'],
  ['e', 'Mark bill or selection as done, or reopen'],
  ['a', 'Assign bill or selection'],
  ['n', 'Notes'],
  ['c', 'Log payer call for bill or selection'],
  ['Ctrl+Enter', 'Save and go to the next bill'],
];

/** The list's keyboard shortcuts. */
const ShortcutsDialog = ({ canWork, onClose }: { canWork: boolean; onClose: () => void }) => (
  <Dialog
    open
    title="Keyboard shortcuts"
    onClose={onClose}
    actions={<Button onClick={onClose}>Close</Button>}
  >
    <dl className={styles.keys}>
      {[...reading, ...(canWork ? working : [['Enter', 'Open bill page'] as const])].map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <CheckboxInput
      label="Use single-key shortcuts"
      hint="In this browser. Enter and keys with Ctrl always work."
      checked={useSingleKeys()}
      onChange={({ target }) => setSingleKeys(target.checked)}
    />
  </Dialog>
);

export default ShortcutsDialog;
