import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import styles from './openbills.module.css';

const reading = [
  ['j', 'Next bill'],
  ['k', 'Bill before'],
  ['Enter', 'Open the bill'],
  ['?', 'These keys'],
];
const working = [
  ['x', 'Choose the bill, or leave it'],
  ['e', 'Done in our system, or back to the list'],
  ['a', 'Assign'],
  ['n', 'Notes'],
];

/** The keys by which the list is worked. */
const ShortcutsDialog = ({ works, onClose }: { works: boolean; onClose: () => void }) => (
  <Dialog open title="Keyboard" onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
    <dl className={styles.keys}>
      {[...reading, ...(works ? working : [])].map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

export default ShortcutsDialog;
